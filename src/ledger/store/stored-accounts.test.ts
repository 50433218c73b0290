import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../ports/logger.ts';
import {
  NATIVE_MINT,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT,
} from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import { GONE } from '../run/account-states.ts';
import type { AccountRange } from '../state/account-source.ts';
import { Accounts } from '../state/accounts.ts';
import { KeptAccounts } from '../state/kept-accounts.ts';
import type { DataTest, Look, SteadyEntries } from '../state/steady-entries.ts';
import { accountOf, tokenAccount } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { FolderStore } from './folder-store.ts';
import { TRANSACTIONS_MAX } from './history-limit.ts';
import { FolderFiles } from './journal/folder-files.ts';
import { LedgerDatabase } from './ledger-database.ts';
import type { LedgerIdentity } from './store.ts';
import { TAKE_OVER_LIMITS } from './take-over.ts';

/** `STORED_STEPS=20000 npx vitest run src/ledger/store/stored-accounts.test.ts` for more. */
const STEPS = Number(process.env['STORED_STEPS'] ?? 100);

/** More than are remembered of one owner. */
const CROWD = 150;

/** Small steps, and as soon as there is something. */
const OFTEN = { ...TAKE_OVER_LIMITS, bytes: 1, stepCommits: 2 };
/** Only when it is asked for. */
const NEVER = { ...TAKE_OVER_LIMITS, bytes: TAKE_OVER_LIMITS.bytesMax, delayMs: 1_000_000 };

/** Lets in a reader right after the database has more, before anybody else knows. */
class WatchedDatabase extends LedgerDatabase {
  onTaken: () => void = () => undefined;

  override async take(...args: Parameters<LedgerDatabase['take']>): Promise<void> {
    await super.take(...args);
    this.onTaken();
  }
}

/** Two that begin alike, as far as the database's keys have them. */
function drawAlike(random: SeededRandom): [Address, Address] {
  const bytes = random.bytes(32);
  return [addressOf(bytes), addressOf(new Uint8Array([...bytes.subarray(0, 8), ...random.bytes(24)]))];
}

const textOf = ({ lamports, owner, data, executable }: Account): string =>
  [lamports, owner, executable, Buffer.from(data).toString('base64')].join(' ');

const sorted = (entries: Iterable<Look>): string[] =>
  [...entries]
    .filter((entry) => entry !== null)
    .map(([address, account]) => `${address} ${textOf(account)}`)
    .toSorted();

const ANY: DataTest = () => true;
const OF_TOKENS: DataTest = (_, from, to) => to - from === 165;

function drawIdentity(random: SeededRandom): LedgerIdentity {
  const bytes = (): Uint8Array => random.bytes(32);
  return {
    genesisHash: addressOf(bytes()),
    blockhashSeed: bytes(),
    faucetSeed: bytes(),
    identitySeed: bytes(),
  };
}

/** A ledger in a folder, and what its accounts have to be. */
class World {
  #random: SeededRandom;
  /** For what is read while the database has more, which is at no certain step. */
  readonly #inTheMidst: SeededRandom;
  #fault: unknown = null;
  readonly #folder = temporaryFolder();
  readonly #addresses: readonly Address[];
  readonly #people: readonly Address[];
  readonly #mints: readonly Address[];
  readonly #programs: readonly Address[];
  readonly #crowd: Address;
  readonly #hidden: Address;
  #limits = OFTEN;
  #store: FolderStore;
  #database: WatchedDatabase;
  #identity: LedgerIdentity;
  #accounts: KeptAccounts;
  #model = new Accounts();
  #committed: Promise<unknown> = Promise.resolve();
  /** Walks that have begun, and what they are to find. */
  readonly #begun: { readonly looks: Iterator<Look>; readonly found: Look[]; readonly wanted: string[] }[] =
    [];

  constructor(seed: string) {
    const random = new SeededRandom(seed);
    this.#random = random;
    this.#inTheMidst = new SeededRandom(`${seed} in the midst`);
    const draw = (): Address => addressOf(random.bytes(32));
    this.#addresses = Array.from({ length: CROWD }, draw);
    this.#people = [...drawAlike(random), draw()];
    this.#mints = [USDC_MINT, ...drawAlike(random)];
    this.#crowd = draw();
    this.#hidden = draw();
    this.#programs = [SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, this.#crowd, ...drawAlike(random)];
    [this.#store, this.#database] = this.#openStore();
    this.#identity = drawIdentity(this.#random);
    this.#accounts = this.#keep(this.#identity);
    this.#begin();
  }

  async step(): Promise<void> {
    const kind = this.#below(100);
    if (kind < 50) this.#change();
    else if (kind < 58) this.#tryOut();
    else if (kind < 62) this.#accounts.get(this.#pick(this.#addresses));
    else if (kind < 66) this.#beginWalk();
    else if (kind < 68) this.#failToBegin();
    else if (kind < 69) await this.#reset();
    else if (kind < 71) await this.#restart();
    else if (kind < 74) await this.#store.drain();
    else if (kind < 75) await this.#releaseReads();
    else if (kind < 82) await this.#committed;
    else await setImmediate();
    for (const range of this.#someRanges()) this.#compare(range);
    this.#goOnWalking();
    if (this.#fault !== null) throw this.#fault;
  }

  compareAll(): void {
    for (const program of this.#programs) this.#compare({ program });
    for (const holder of ['mint', 'owner', 'delegate'] as const) {
      for (const address of holder === 'mint' ? this.#mints : this.#people) {
        for (const program of this.#programs) this.#compare({ holder, address, program });
      }
    }
    this.#compare({ all: true });
    for (const address of this.#addresses) {
      expect(this.#accounts.get(address)).toEqual(this.#model.get(address));
      expect(this.#accounts.tokenKeysAt(address)).toEqual(this.#model.tokenKeysAt(address));
    }
  }

  async close(): Promise<void> {
    await this.#store.close();
  }

  #below(count: number): number {
    return this.#random.integer(count);
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T;
  }

  #openStore(): [FolderStore, WatchedDatabase] {
    const database = new WatchedDatabase(join(this.#folder, 'ledger.mdb'), TRANSACTIONS_MAX);
    const files = new FolderFiles(this.#folder);
    const parts = { database, files, random: this.#random, logger: silentLogger, limits: this.#limits };
    database.onTaken = () => {
      const random = this.#random;
      this.#random = this.#inTheMidst;
      try {
        for (const range of this.#someRanges()) this.#compare(range);
      } catch (error) {
        this.#fault ??= error;
      }
      this.#random = random;
    };
    return [new FolderStore(parts), database];
  }

  #keep({ genesisHash }: LedgerIdentity): KeptAccounts {
    const few = this.#below(2) === 0 ? { count: 4, bytes: 2_000 } : undefined;
    return new KeptAccounts(this.#store.kept(genesisHash), few);
  }

  /** The first commit of a ledger, whose accounts are those from now on. */
  #begin(accounts = this.#accounts): void {
    const genesis = Array.from({ length: this.#below(2 * CROWD) }, () => this.#drawEntry());
    const entries = [...new Map([...genesis, [this.#hidden, accountOf(this.#crowd, new Uint8Array(1), 1n)]])];
    const model = new Accounts();
    for (const [address, account] of entries) {
      accounts.set(address, account);
      model.set(address, account);
    }
    accounts.hide(this.#hidden);
    model.set(this.#hidden, GONE);
    this.#committed = this.#store.commit({ identity: this.#identity, accounts: entries, slotCeiling: 1 });
    this.#accounts = accounts;
    this.#model = model;
  }

  #drawEntry(): [Address, Account] {
    return [this.#pick(this.#addresses), this.#drawAccount()];
  }

  #drawAccount(): Account {
    const kind = this.#below(100);
    if (kind < 20) return GONE;
    if (kind < 21) return accountOf(this.#pick(this.#programs.slice(3)), this.#random.bytes(600_000));
    const lamports = BigInt(1 + this.#below(1_000));
    if (kind < 45) return accountOf(this.#crowd, this.#random.bytes(this.#below(3)), lamports);
    if (kind < 55) return accountOf(this.#pick(this.#programs), new Uint8Array(this.#below(90)), lamports);
    const token = tokenAccount(
      { mint: this.#pick(this.#mints), owner: this.#pick(this.#people) },
      BigInt(this.#below(9)),
      {
        program: this.#pick([TOKEN_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM]),
        delegate: this.#below(2) === 0 ? null : this.#pick(this.#people),
        state: this.#pick([0, 1, 1, 1, 2]),
      },
    );
    if (kind < 90) return token;
    // With extensions, a multisig, without a type, a mint, and one of a foreign program.
    const [length, type] = this.#pick([[182, 2] as const, [355, 2] as const, [182, 0] as const]);
    const data = new Uint8Array(length);
    data.set(token.data);
    data[165] = type;
    if (kind < 96) return accountOf(token.owner, data);
    if (kind < 98) return accountOf(token.owner, token.data.slice(0, 82));
    return accountOf(this.#crowd, token.data);
  }

  #change(): void {
    const count = 1 + this.#below(4);
    const entries = [...new Map(Array.from({ length: count }, () => this.#drawEntry()))];
    for (const [address, account] of entries) {
      this.#accounts.set(address, account);
      this.#model.set(address, account);
    }
    this.#committed = this.#store.commit({ accounts: entries, slotCeiling: 1 });
  }

  /** As a simulation does with accounts that it is given. */
  #tryOut(): void {
    const [address, account] = this.#drawEntry();
    const before = this.#accounts.get(address) ?? GONE;
    const expected = this.#model.get(address) ?? GONE;
    this.#accounts.set(address, account);
    this.#model.set(address, account);
    for (const range of this.#someRanges()) this.#compare(range);
    this.#accounts.set(address, before);
    this.#model.set(address, expected);
  }

  /** A reset that comes to nothing, as its genesis cannot be made. */
  #failToBegin(): void {
    const accounts = this.#keep(drawIdentity(this.#random));
    expect([accounts.size, ...accounts.ownedBy(this.#crowd)]).toEqual([0]);
  }

  async #reset(): Promise<void> {
    if (this.#below(2) === 0) await this.#committed;
    this.#identity = drawIdentity(this.#random);
    const next = this.#keep(this.#identity);
    for (const range of this.#someRanges()) expect(sorted(this.#entriesIn(range, next))).toEqual([]);
    this.#endWalks();
    this.#begin(next);
  }

  /** Opens the database anew beside what is remembered of it. */
  async #releaseReads(): Promise<void> {
    this.#endWalks();
    await this.#store.releaseReads();
  }

  /** After an orderly stop, or after one that leaves all there is to do to the next start. */
  async #restart(): Promise<void> {
    await this.#committed;
    this.#endWalks();
    if (this.#below(2) === 0) this.#store.halt(new Error('as if it had been killed'));
    this.#database.onTaken = () => undefined;
    await this.#store.close();
    this.#limits = this.#pick([OFTEN, OFTEN, NEVER]);
    [this.#store, this.#database] = this.#openStore();
    this.#accounts = this.#keep(this.#identity);
    this.#accounts.hide(this.#hidden);
  }

  #beginWalk(): void {
    const range = this.#drawRange();
    const looks = this.#entriesIn(range).looks(ANY);
    this.#begun.push({ looks, found: [], wanted: sorted(this.#modelIn(range)) });
  }

  #goOnWalking(): void {
    const walk = this.#begun[this.#below(8)];
    if (walk === undefined) return;
    for (let count = this.#below(30); count > 0; count--) {
      const { value, done } = walk.looks.next();
      if (done !== true) walk.found.push(value);
      else {
        expect(sorted(walk.found)).toEqual(walk.wanted);
        this.#begun.splice(this.#begun.indexOf(walk), 1);
        return;
      }
    }
  }

  #endWalks(): void {
    for (const { looks } of this.#begun.splice(0)) looks.return?.();
  }

  #drawRange(): AccountRange {
    const program = this.#pick(this.#programs);
    const kind = this.#below(10);
    if (kind === 0) return { all: true };
    if (kind < 4) return { program };
    const holder = this.#pick(['mint', 'owner', 'delegate'] as const);
    const address = this.#pick(holder === 'mint' ? this.#mints : this.#people);
    const mint = this.#below(2) === 0 ? { mint: this.#pick([...this.#mints, NATIVE_MINT]) } : {};
    return { holder, address, program: this.#below(8) === 0 ? program : TOKEN_PROGRAM, ...mint };
  }

  #someRanges(): AccountRange[] {
    return Array.from({ length: this.#below(4) }, () => this.#drawRange());
  }

  #entriesIn(range: AccountRange, accounts = this.#accounts): SteadyEntries {
    if ('holder' in range) return accounts.tokenAccounts(range);
    return 'program' in range ? accounts.ownedBy(range.program) : accounts.entries();
  }

  #modelIn(range: AccountRange): Iterable<readonly [Address, Account]> {
    if ('holder' in range) return this.#model.tokenAccounts(range);
    return 'program' in range ? this.#model.ownedBy(range.program) : this.#model.entries();
  }

  #compare(range: AccountRange): void {
    const found = this.#entriesIn(range);
    const wanted = sorted(this.#modelIn(range));
    expect(sorted(found), JSON.stringify(range)).toEqual(wanted);
    expect(sorted(found.looks(ANY)), JSON.stringify(range)).toEqual(wanted);
    const tokens = sorted(
      [...this.#modelIn(range)].filter(([, { data }]) => OF_TOKENS(data, 0, data.length)),
    );
    expect(sorted(found.looks(OF_TOKENS)), JSON.stringify(range)).toEqual(tokens);
    const { size, totalLamports, dataBytes } = this.#model;
    const { size: count, totalLamports: lamports, dataBytes: bytes } = this.#accounts;
    expect([count, lamports, bytes]).toEqual([size, totalLamports, dataBytes]);
  }
}

/** A ledger with one token account, which is taken over when the store is drained. */
async function openWithTokens() {
  const random = new SeededRandom('with tokens');
  const folder = temporaryFolder();
  const database = new LedgerDatabase(join(folder, 'ledger.mdb'), TRANSACTIONS_MAX);
  const files = new FolderFiles(folder);
  const store = new FolderStore({ database, files, random, logger: silentLogger, limits: NEVER });
  onTestFinished(() => store.close().catch(() => undefined));
  const identity = drawIdentity(random);
  const accounts = new KeptAccounts(store.kept(identity.genesisHash));
  const [address, owner] = [addressOf(random.bytes(32)), addressOf(random.bytes(32))];
  const commit = async (account: Account, begun?: LedgerIdentity): Promise<void> => {
    accounts.set(address, account);
    const entries = [[address, account] as const];
    await store.commit({ accounts: entries, slotCeiling: 1, ...(begun && { identity: begun }) });
  };
  expect(accounts.get(address)).toBeUndefined();
  await commit(tokenAccount({ mint: USDC_MINT, owner }, 1n), identity);
  const held = accounts.tokenAccounts({ holder: 'owner', address: owner, program: TOKEN_PROGRAM });
  return { random, store, accounts, commit, held };
}

describe('StoredAccounts', () => {
  it('tells of what is settled after another ledger was to begin and did not', async () => {
    const { random, store, accounts, commit, held } = await openWithTokens();
    // A reset that fails, or that another reset comes before.
    const other = new KeptAccounts(store.kept(drawIdentity(random).genesisHash));
    await store.drain();
    expect([other.size, accounts.recentCount]).toEqual([0, 0]);
    const closing = commit(GONE);
    expect([...held]).toEqual([]);
    expect([...held.looks(ANY)]).toEqual([]);
    await closing;
    await store.drain();
    expect([...other.entries(), ...accounts.entries()]).toEqual([]);
  });

  it('tells those no more who have left, and goes on to tell others of the same ledger', async () => {
    const { random, store } = await openWithTokens();
    const next = drawIdentity(random);
    const [left, others] = [next, next].map(({ genesisHash }) => new KeptAccounts(store.kept(genesisHash)));
    const entry = [addressOf(random.bytes(32)), accountOf(SYSTEM_PROGRAM, random.bytes(9))] as const;
    for (const accounts of [left, others]) accounts?.set(...entry);
    left?.leave();
    await store.commit({ identity: next, accounts: [entry], slotCeiling: 1 });
    await store.drain();
    expect([left?.recentCount, others?.recentCount]).toEqual([1, 0]);
  });

  it('tells no more of a ledger once the next has begun', async () => {
    const { random, store, accounts } = await openWithTokens();
    const next = drawIdentity(random);
    const others = new KeptAccounts(store.kept(next.genesisHash));
    const [address, account] = [...accounts.entries()][0] as [Address, Account];
    others.set(address, account);
    await store.commit({ identity: next, accounts: [[address, account]], slotCeiling: 1 });
    await store.drain();
    expect([others.recentCount, others.size, accounts.recentCount]).toEqual([0, 1, 1]);
  });

  it('ends with LEDGER_STOPPED where the few accounts of somebody are read from a ledger that is closed', async () => {
    const { store, accounts, held } = await openWithTokens();
    await store.close();
    const stopped = expect.objectContaining({ code: 'LEDGER_STOPPED' });
    expect(() => [...held]).toThrow(stopped);
    expect(() => held.looks(ANY)).toThrow(stopped);
    expect(() => accounts.get(SYSTEM_PROGRAM)).toThrow(stopped);
  });

  it.each(['one', 'two', 'three'])(
    'shows what accounts in memory would show, whatever changes, is taken over and restarted when (%s)',
    async (seed) => {
      const world = new World(`stored accounts ${seed}`);
      onTestFinished(() => world.close());
      for (let step = 0; step < STEPS; step++) await world.step();
      world.compareAll();
    },
  );
});
