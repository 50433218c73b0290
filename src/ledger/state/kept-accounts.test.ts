import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import { GONE } from '../run/account-states.ts';
import { accountOf, tokenAccount } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import type { AccountRange, AccountSource } from './account-source.ts';
import { Accounts } from './accounts.ts';
import { KeptAccounts } from './kept-accounts.ts';
import { type DataTest, type Look, looksAt } from './steady-entries.ts';
import { readTokenAmount } from './token-keys.ts';

const random = new SeededRandom('kept accounts');
const addresses = Array.from({ length: 8 }, () => addressOf(random.bytes(32)));
const [a, b, c, alice, bob] = addresses as [Address, Address, Address, Address, Address];
const wallet = (lamports: bigint): Account => accountOf(SYSTEM_PROGRAM, new Uint8Array(0), lamports);
const tokens = (owner: Address, amount: bigint): Account => tokenAccount({ mint: USDC_MINT, owner }, amount);

/** A source that takes over what was committed when it is told to, and hands out copies as a disk does. */
class TestSource implements AccountSource {
  readonly #kept = new Accounts();
  readonly #pending = new Map<Address, Account | null>();
  #listener: (address: Address, account: Account | null) => void = () => undefined;
  reads = 0;
  lists = 0;
  walks = 0;

  get totals() {
    const { size: count, totalLamports: lamports, dataBytes } = this.#kept;
    return { count, lamports, dataBytes };
  }

  get(address: Address): Account | undefined {
    this.reads++;
    const account = this.#kept.get(address);
    return account && { ...account };
  }

  addressesOf(range: AccountRange, max: number): readonly Address[] | null {
    this.lists++;
    const found = [...this.#entries(range)].map(([address]) => address);
    return found.length > max ? null : found;
  }

  walk(range: AccountRange, test: DataTest): IterableIterator<Look> {
    this.walks++;
    return looksAt([...this.#entries(range)], test);
  }

  pending(): Iterable<readonly [Address, Account | null]> {
    return this.#pending;
  }

  isPending(address: Address): boolean {
    return this.#pending.has(address);
  }

  onSettled(listener: (address: Address, account: Account | null) => void): () => void {
    this.#listener = listener;
    return () => undefined;
  }

  #entries(range: AccountRange): Iterable<readonly [Address, Account]> {
    if ('holder' in range) return this.#kept.tokenAccounts(range);
    return 'program' in range ? this.#kept.ownedBy(range.program) : this.#kept.entries();
  }

  commit(address: Address, account: Account): void {
    this.#pending.set(address, account.lamports === 0n ? null : account);
  }

  takeOver(): void {
    for (const [address, account] of this.#pending) {
      this.#kept.set(address, account ?? GONE);
      this.#pending.delete(address);
      this.#listener(address, account);
    }
  }
}

function open() {
  const source = new TestSource();
  const accounts = new KeptAccounts(source);
  const commit = (address: Address, account: Account): void => {
    accounts.set(address, account);
    source.commit(address, account);
  };
  return { source, accounts, commit };
}

const looksOf = (looks: Iterable<Look>): Map<Address, bigint> =>
  new Map([...looks].flatMap((look) => (look === null ? [] : [[look[0], look[1].lamports]])));

describe('KeptAccounts', () => {
  it('shows what is set at once, and drops it from memory once it is settled', () => {
    const { source, accounts, commit } = open();
    commit(a, wallet(5n));
    commit(b, tokens(alice, 7n));
    expect([accounts.get(a)?.lamports, accounts.size, accounts.recentCount]).toEqual([5n, 2, 2]);
    source.takeOver();
    expect([accounts.get(a)?.lamports, accounts.size, accounts.recentCount]).toEqual([5n, 2, 0]);
    expect(accounts.tokenKeysAt(b)?.owner).toBe(alice);
    expect([...accounts.tokenAccountsOf(USDC_MINT)]).toEqual([b]);
  });

  it('keeps in memory what changed again before the earlier change was settled', () => {
    const { source, accounts, commit } = open();
    commit(a, wallet(5n));
    accounts.set(a, wallet(6n));
    source.takeOver();
    expect(accounts.get(a)?.lamports).toBe(6n);
    expect(looksOf(accounts.entries().looks(() => true))).toEqual(new Map([[a, 6n]]));
  });

  it('shows nothing that is gone, also while the source gets what came before', () => {
    const { source, accounts, commit } = open();
    commit(a, wallet(5n));
    accounts.set(a, GONE);
    source.takeOver();
    expect(accounts.get(a)).toBeUndefined();
    expect([...accounts.entries()]).toEqual([]);
    source.commit(a, GONE);
    source.takeOver();
    expect([accounts.get(a), accounts.size, accounts.totalLamports]).toEqual([undefined, 0, 0n]);
  });

  it('holds nothing more in memory after what was put in place for a run was taken back', () => {
    const { source, accounts, commit } = open();
    commit(a, wallet(5n));
    source.takeOver();
    for (const address of [a, c]) {
      const before = accounts.get(address) ?? GONE;
      accounts.set(address, wallet(9n));
      accounts.set(address, before);
    }
    expect([accounts.recentCount, accounts.get(a)?.lamports, accounts.get(c)]).toEqual([0, 5n, undefined]);
    expect([...accounts.entries()]).toHaveLength(1);
  });

  it('never shows what is hidden until something is set there', () => {
    const { source, accounts, commit } = open();
    commit(a, wallet(5n));
    accounts.hide(a);
    source.takeOver();
    expect([accounts.get(a), accounts.size]).toEqual([undefined, 0]);
    expect([...accounts.entries()]).toEqual([]);
    commit(a, wallet(6n));
    source.takeOver();
    expect([accounts.get(a)?.lamports, accounts.size]).toEqual([6n, 1]);
  });

  it('reads an account once while it is used, and forgets it then', () => {
    const source = new TestSource();
    for (const address of addresses) source.commit(address, wallet(1n));
    source.takeOver();
    const accounts = new KeptAccounts(source, { count: 2, bytes: 1_000_000 });
    const first = accounts.get(a);
    expect(accounts.get(a)).toBe(first);
    expect(source.reads).toBe(1);
    for (const address of addresses.slice(1)) accounts.get(address);
    expect(accounts.get(a)).not.toBe(first);
    expect(accounts.get(a)).toEqual(first);
  });

  it('goes through the accounts of one moment, whatever happens on the way', () => {
    const { source, accounts, commit } = open();
    commit(a, wallet(1n));
    source.takeOver();
    commit(b, wallet(2n));
    const looks = accounts.ownedBy(SYSTEM_PROGRAM).looks(() => true);
    commit(a, wallet(10n));
    commit(b, GONE);
    commit(c, wallet(3n));
    source.takeOver();
    expect(looksOf(looks)).toEqual(
      new Map([
        [a, 1n],
        [b, 2n],
      ]),
    );
    expect(looksOf(accounts.ownedBy(SYSTEM_PROGRAM).looks(() => true))).toEqual(
      new Map([
        [a, 10n],
        [c, 3n],
      ]),
    );
  });

  it('asks for the few accounts of somebody once, and shows what came, changed and went since', () => {
    const { source, accounts, commit } = open();
    const held = (): Map<Address, bigint> =>
      new Map(
        [...accounts.tokenAccounts({ holder: 'owner', address: alice, program: TOKEN_PROGRAM })].map(
          ([address, { data }]) => [address, readTokenAmount(data)],
        ),
      );
    commit(a, tokens(alice, 1n));
    source.takeOver();
    expect([held(), held()]).toEqual([new Map([[a, 1n]]), new Map([[a, 1n]])]);
    expect([source.lists, source.walks]).toEqual([1, 0]);
    commit(a, tokens(alice, 2n));
    commit(b, tokens(alice, 3n));
    const both = new Map([
      [a, 2n],
      [b, 3n],
    ]);
    expect(held()).toEqual(both);
    source.takeOver();
    expect(held()).toEqual(both);
    expect(source.lists).toBe(2);
    commit(a, tokens(bob, 2n));
    source.takeOver();
    expect(held()).toEqual(new Map([[b, 3n]]));
    commit(b, GONE);
    source.takeOver();
    expect(held()).toEqual(new Map());
    expect(source.walks).toBe(0);
  });

  it.each<[string, (data: Uint8Array) => Account]>([
    ['was never initialised', (data) => accountOf(TOKEN_PROGRAM, data.fill(0, 108, 109))],
    ['is too short', () => accountOf(TOKEN_PROGRAM, new Uint8Array(10))],
    ['is a mint', (data) => accountOf(TOKEN_PROGRAM, data.slice(0, 82))],
    ['is a multisig', (data) => accountOf(TOKEN_PROGRAM, new Uint8Array([...data, ...new Uint8Array(190)]))],
    ['is of another program', (data) => accountOf(bob, data)],
  ])('lists nothing where a token account was once and what is there now %s', (_, make) => {
    const { source, accounts, commit } = open();
    const token = tokenAccount({ mint: USDC_MINT, owner: alice }, 1n, { delegate: alice });
    const queries = (['mint', 'owner', 'delegate'] as const).flatMap((holder) =>
      [TOKEN_PROGRAM, bob].map((program) =>
        accounts.tokenAccounts({ holder, address: holder === 'mint' ? USDC_MINT : alice, program }),
      ),
    );
    const found = () => queries.map((query) => [[...query].length, looksOf(query.looks(() => true)).size]);
    commit(a, token);
    source.takeOver();
    expect(found().flat()).toEqual([1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0]);
    commit(a, make(token.data.slice()));
    source.takeOver();
    expect(found().flat()).toEqual(Array.from({ length: 12 }, () => 0));
  });

  it('goes through the source where accounts are many, or large together', () => {
    const { source, accounts, commit } = open();
    for (let count = 0; count < 2; count++) {
      commit(addresses[count] as Address, accountOf(alice, new Uint8Array(600_000), 1n));
    }
    for (let count = 0; count < 129; count++) commit(addressOf(random.bytes(32)), wallet(1n));
    source.takeOver();
    for (const [program, count] of [
      [alice, 2],
      [SYSTEM_PROGRAM, 129],
    ] as const) {
      for (const _ of ['once', 'again']) {
        expect(looksOf(accounts.ownedBy(program).looks(() => true)).size).toBe(count);
        expect([...accounts.ownedBy(program)]).toHaveLength(count);
      }
    }
    expect([source.lists, source.walks]).toEqual([2, 8]);
  });

  it('has the source tell of an account that is listed and not there', () => {
    const { source, accounts, commit } = open();
    commit(a, tokens(alice, 1n));
    source.takeOver();
    source.addressesOf = () => [a, c];
    expect([...accounts.ownedBy(TOKEN_PROGRAM)]).toHaveLength(1);
    expect(source.walks).toBe(1);
  });

  it('is what accounts in memory would be, whatever is set, committed and taken over when', () => {
    const { source, accounts, commit } = open();
    const model = new Accounts();
    const draw = (count: number): number => (random.bytes(1)[0] as number) % count;
    for (let step = 0; step < 3_000; step++) {
      const address = addresses[draw(addresses.length)] as Address;
      const owner = draw(2) === 0 ? alice : bob;
      const account = [GONE, wallet(BigInt(1 + draw(9))), tokens(owner, BigInt(draw(9)))][draw(3)] as Account;
      const kind = draw(6);
      if (kind === 0) source.takeOver();
      else if (kind === 1) accounts.get(address);
      else {
        commit(address, account);
        model.set(address, account);
      }
      expect(accounts.get(address)).toEqual(model.get(address));
      expect([accounts.size, accounts.totalLamports, accounts.dataBytes]).toEqual([
        model.size,
        model.totalLamports,
        model.dataBytes,
      ]);
      expect(accounts.tokenKeysAt(address)).toEqual(model.tokenKeysAt(address));
      if (step % 10 !== 0) continue;
      const query = { holder: 'owner', address: alice, program: TOKEN_PROGRAM } as const;
      expect(new Map(accounts.entries())).toEqual(new Map(model.entries()));
      expect(new Map(accounts.ownedBy(TOKEN_PROGRAM))).toEqual(new Map(model.ownedBy(TOKEN_PROGRAM)));
      expect(new Map(accounts.tokenAccounts(query))).toEqual(new Map(model.tokenAccounts(query)));
    }
  });

  it('keeps no more at hand than it may, in whatever order it is read (bug: what was found again came on top)', () => {
    const source = new TestSource();
    const many = Array.from({ length: 100 }, () => addressOf(random.bytes(32)));
    for (const address of many) source.commit(address, wallet(5n));
    source.takeOver();
    const accounts = new KeptAccounts(source, { count: 4, bytes: 1_000_000 });
    // All that were read, and one more, again and again.
    for (let count = 1; count <= many.length; count++) {
      for (const address of many.slice(0, count)) accounts.get(address);
    }
    source.reads = 0;
    for (const address of many.toReversed()) accounts.get(address);
    expect(source.reads).toBeGreaterThanOrEqual(many.length - 9);
  });
});
