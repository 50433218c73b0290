import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { transferLamports } from '../../programs/system.ts';
import type { Account } from '../../solana/account.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { type BankBackend, loadBuiltins } from '../initial-state.ts';
import { GONE } from '../run/account-states.ts';
import { withBytesAt } from '../state/account-data.ts';
import { Accounts } from '../state/accounts.ts';
import { isDifferent } from '../state/differences.ts';
import { buildV0 } from '../testing/build-v0.ts';
import { lookupTable } from '../testing/lookup-table.ts';
import { accountOf } from '../testing/make-account.ts';
import { buildTransaction, openTestLedger } from '../testing/test-ledger.ts';
import type { Engine } from './engine.ts';
import { LiteSvmEngine } from './litesvm-engine.ts';
import { SparingEngine } from './sparing-engine.ts';

const KIB = 1024;
const at = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const [a, b, c, d] = [at(1), at(2), at(3), at(4)];
const large = (bytes = 100 * KIB): Account => accountOf(SYSTEM_PROGRAM, new Uint8Array(bytes).fill(7));
const NOTHING_LOOKED_UP = { lookups: [] as const } as unknown as Transaction;

/** A sparing engine over one that only notes how many bytes of data it was given for each address. */
function spared(bytesMax = 250 * KIB) {
  const accounts = new Accounts();
  const has = new Map<Address, number>();
  const seen: string[] = [];
  const inner = {
    setAccount: (address: Address, { data }: Account) => void has.set(address, data.length),
    run: () => void seen.push([a, b, c, d].filter((address) => (has.get(address) ?? 0) > 0).join()),
  } as unknown as Engine;
  const engine = new SparingEngine(inner, (address) => accounts.get(address), bytesMax);
  return {
    engine,
    has,
    set(address: Address, account: Account) {
      engine.setAccount(address, account);
      accounts.set(address, account);
    },
    /** What the engine has while a transaction of these addresses runs. */
    during(...addresses: Address[]) {
      engine.run(NOTHING_LOOKED_UP, new Uint8Array(32), addresses);
      return seen.at(-1)?.split(',');
    },
  };
}

describe('SparingEngine', () => {
  it('does not have more of large accounts than it may, however many there are', () => {
    const { engine, set, has } = spared();
    for (const address of [a, b, c, d]) set(address, large());
    expect(engine.heldBytes).toBe(200 * KIB);
    expect([has.get(c), has.get(d)]).toEqual([0, 0]);
  });

  it('has what a transaction names while it runs, and lets go of what was used least lately', () => {
    const { engine, set, during } = spared();
    for (const address of [a, b, c, d]) set(address, large());
    expect(during(c)).toContain(c);
    expect(during(b)).toEqual([b, c]);
    expect(during(a, d)).toEqual([a, b, c, d]);
    expect(engine.heldBytes).toBe(200 * KIB);
    expect(during()).toEqual([a, d]);
  });

  it('has everything one transaction names, also where that is more than it may keep', () => {
    const { engine, set, during } = spared();
    for (const address of [a, b, c, d]) set(address, large());
    expect(during(a, b, c, d)).toEqual([a, b, c, d]);
    expect(engine.heldBytes).toBeLessThanOrEqual(250 * KIB);
  });

  it('gives what an account is now, and not what it was when it was put away', () => {
    const { set, during, has } = spared(0);
    set(a, large());
    set(a, large(200 * KIB));
    during(a);
    expect(has.get(a)).toBe(0);
    set(a, accountOf(SYSTEM_PROGRAM, new Uint8Array(10)));
    expect(has.get(a)).toBe(10);
    set(a, large());
    set(a, GONE);
    expect(during(a)).toEqual(['']);
  });

  it('is not given what is written without it, before something runs that names it', () => {
    const { set, during, has, engine } = spared();
    const loader = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address;
    let buffer = accountOf(loader, new Uint8Array(200 * KIB));
    set(a, buffer);
    const given: number[] = [];
    for (let place = 0; place < 5; place++) {
      buffer = withBytesAt(buffer, place, Uint8Array.of(1));
      set(a, buffer);
      given.push(has.get(a) as number);
    }
    expect(given).toEqual([0, 0, 0, 0, 0]);
    expect(during(b)).toEqual(['']);
    expect(during(a)).toEqual([a]);
    set(a, withBytesAt(buffer, 9, Uint8Array.of(1)));
    expect([has.get(a), engine.heldBytes]).toEqual([0, 0]);
    set(a, GONE);
    expect(during(a)).toEqual(['']);
  });

  it('always has small accounts, and programs with what they need', () => {
    const { set, has } = spared(0);
    set(a, accountOf(SYSTEM_PROGRAM, new Uint8Array(64 * KIB - 1)));
    set(b, { ...large(), executable: true });
    set(c, { ...large(), owner: 'BPFLoaderUpgradeab1e11111111111111111111111' as Address });
    expect([...has.values()]).toEqual([64 * KIB - 1, 100 * KIB, 100 * KIB]);
  });
});

describe('a ledger whose engine may keep no large account', () => {
  async function open() {
    const createBackend = (): BankBackend => {
      const accounts = new Accounts();
      const engine = new SparingEngine(new LiteSvmEngine(), (address) => accounts.get(address), 0);
      loadBuiltins(engine, accounts);
      return { engine, accounts };
    };
    const world = await openTestLedger({ createBackend });
    await world.ledger.setAccounts([
      [a, large()],
      [b, large(200 * KIB)],
    ]);
    return { ...world, wallet: await world.fundedWallet() };
  }

  it('runs transactions on what large accounts really are', async () => {
    const { ledger, wallet } = await open();
    const send = (to: Address) =>
      buildTransaction(ledger, [wallet], [transferLamports(wallet.address, to, 5n)]);
    for (const to of [a, b]) {
      const before = ledger.getAccount(to) as Account;
      const options = { verifySignatures: true, replaceBlockhash: false };
      const rich = { ...before, lamports: before.lamports + 5n };
      expect(isDifferent(ledger.simulate(send(to), options).accountAfter(to) as Account, rich)).toBe(false);
      expect(await ledger.submit(send(to))).toMatchObject({ err: null, landed: true });
      expect(isDifferent(ledger.getAccount(to) as Account, rich)).toBe(false);
    }
    await ledger.close();
  });

  it('knows those that a lookup table names', async () => {
    const { ledger, clock, wallet } = await open();
    await ledger.setAccounts([[c, lookupTable([a])]]);
    clock.pass(1_000);
    const { data } = transferLamports(wallet.address, a, 5n);
    const transaction = buildV0({
      payer: wallet,
      keys: [SYSTEM_PROGRAM],
      readonlyCount: 1,
      blockhash: decodeBase58(ledger.head().blockhash),
      instructions: [{ program: 1, accounts: [0, 2], data }],
      lookups: [{ table: c, writable: [0], readonly: [] }],
    });
    expect(await ledger.submit(transaction)).toMatchObject({ err: null });
    const rich = { ...large(), lamports: large().lamports + 5n };
    expect(isDifferent(ledger.getAccount(a) as Account, rich)).toBe(false);
    await ledger.close();
  });
});
