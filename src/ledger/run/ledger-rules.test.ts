import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { transferLamports } from '../../programs/system.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { LiteSvmEngine } from '../engine/litesvm-engine.ts';
import { loadBuiltins } from '../initial-state.ts';
import type { LedgerListener } from '../ledger-events.ts';
import { Accounts } from '../state/accounts.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { accountOf } from '../testing/make-account.ts';
import { buildTransaction, emptyGenesis, openTestLedger } from '../testing/test-ledger.ts';
import type { LedgerRules } from './executor.ts';

const counter = addressOf(new Uint8Array(32).fill(1));
const receiver = addressOf(new Uint8Array(32).fill(2));
const forbidden = addressOf(new Uint8Array(32).fill(3));

/**
 * Nobody may name `forbidden` or end a transaction with an odd number of lamports, and a counter counts the
 * others.
 */
const rules: LedgerRules = {
  admit: (_, { addresses }) => (addresses.includes(forbidden) ? 'InvalidWritableAccount' : null),
  check(_, { addresses }, { after }) {
    const lamports = after[addresses.indexOf(receiver)]?.lamports ?? 0n;
    if (lamports % 2n === 1n) return { err: 'UnbalancedTransaction', logs: ['odd'] };
    return { also: [[counter, accountOf(SYSTEM_PROGRAM, Uint8Array.of(1))]] };
  },
};

async function ruled() {
  const createBackend = () => {
    const engine = new LiteSvmEngine();
    const accounts = new Accounts();
    loadBuiltins(engine, accounts);
    return { engine, accounts, rules };
  };
  const { ledger, fundedWallet } = await openTestLedger({ genesis: emptyGenesis, createBackend });
  const wallet = accountOf(SYSTEM_PROGRAM, new Uint8Array(0), 10_000_000_000_000n);
  await ledger.setAccounts([[ledger.faucet, wallet]]);
  const payer = await fundedWallet();
  const pay = (to: Address, lamports: bigint) =>
    buildTransaction(ledger, [payer], [transferLamports(payer.address, to, lamports)]);
  return { ledger, pay };
}

describe('the rules of a ledger', () => {
  it('make a transaction fail before it runs: it lands, is charged nothing and has no logs', async () => {
    const { ledger, pay } = await ruled();
    const { err, landed, signature } = await ledger.submit(pay(forbidden, 10_000_000n));
    expect({ err, landed }).toEqual({ err: 'InvalidWritableAccount', landed: true });
    expect(ledger.getTransaction(signature)).toMatchObject({ err, fee: 0n, logs: [] });
    expect(ledger.getAccount(forbidden)).toBeNull();
  });

  it('can fail a transaction after it ran, with the reason in its logs', async () => {
    const { ledger, pay } = await ruled();
    const { err, signature } = await ledger.submit(pay(receiver, 10_000_001n));
    expect(err).toBe('UnbalancedTransaction');
    const record = ledger.getTransaction(signature);
    expect(record?.logs).toEqual([
      expect.stringContaining('invoke'),
      expect.stringContaining('success'),
      'odd',
    ]);
    expect(record?.postBalances).toEqual(record?.preBalances);
    expect(ledger.getAccount(receiver)).toBeNull();
  });

  it('can change accounts that the transaction does not name', async () => {
    const { ledger, pay } = await ruled();
    const events: Parameters<LedgerListener>[0][] = [];
    await ledger.setAccounts([[counter, { ...accountOf(SYSTEM_PROGRAM, new Uint8Array(0)), lamports: 0n }]]);
    ledger.subscribe((event) => events.push(event));
    await ledger.submit(pay(receiver, 10_000_000n));
    expect(ledger.getAccount(counter)?.data).toEqual(Uint8Array.of(1));
    expect(events.flatMap(({ changes }) => changes.map(({ address }) => address))).toContain(counter);
  });

  it('apply to simulations, which change nothing', async () => {
    const { ledger, pay } = await ruled();
    const options = { verifySignatures: true, replaceBlockhash: false };
    expect(ledger.simulate(pay(forbidden, 10_000_000n), options).err).toBe('InvalidWritableAccount');
    expect(ledger.simulate(pay(receiver, 10_000_001n), options).err).toBe('UnbalancedTransaction');
    expect(ledger.simulate(pay(receiver, 10_000_000n), options).err).toBeNull();
  });
});

describe("a transaction of the node's own", () => {
  const sideEffects = {
    logs: ['done'],
    also: [[counter, accountOf(SYSTEM_PROGRAM, Uint8Array.of(7))]] as const,
  };

  it('lands with any blockhash, in one event with its additional changes', async () => {
    const { ledger, clock, fundedWallet } = await openTestLedger();
    const payer = await fundedWallet();
    const own = buildTransaction(ledger, [payer], [transferLamports(payer.address, receiver, 10_000_000n)]);
    clock.pass(1_000 * ledger.slotMs);
    expect(await ledger.submit(own)).toMatchObject({ err: 'BlockhashNotFound', landed: false });
    const events: Parameters<LedgerListener>[0][] = [];
    ledger.subscribe((event) => events.push(event));
    await ledger.enact(own, sideEffects);
    expect(events.map(({ kind, changes }) => [kind, changes.map(({ address }) => address)])).toEqual([
      ['transaction', [payer.address, receiver, counter]],
    ]);
    expect(ledger.signaturesFor({ address: receiver, limit: 2 }).map(({ logs }) => logs.at(-1))).toEqual([
      'done',
    ]);
    expect(ledger.getAccount(counter)?.data).toEqual(Uint8Array.of(7));
  });

  it('that fails does not land, and the additional accounts are set', async () => {
    const { ledger, fundedWallet } = await openTestLedger();
    const payer = await fundedWallet();
    const much = transferLamports(payer.address, receiver, 10n ** 18n);
    await ledger.enact(buildTransaction(ledger, [payer], [much]), sideEffects);
    expect(ledger.signaturesFor({ address: receiver, limit: 1 })).toEqual([]);
    expect(ledger.getAccount(receiver)).toBeNull();
    expect(ledger.getAccount(counter)?.data).toEqual(Uint8Array.of(7));
  });
});

describe('a ledger whose blockhashes are valid for longer', () => {
  const options = { blockhashAgeMax: 1_200, slotMs: 50 };

  it('accepts a transaction up to that age', async () => {
    const { ledger, clock, fundedWallet } = await openTestLedger(options);
    const payer = await fundedWallet();
    const { blockHeight, lastValidBlockHeight, blockhash } = ledger.head();
    expect(lastValidBlockHeight - blockHeight).toBe(1_200);
    const old = buildTransaction(ledger, [payer], [transferLamports(payer.address, receiver, 10_000_000n)]);
    clock.pass(1_200 * 50);
    expect(ledger.isBlockhashValid(blockhash)).toBe(true);
    expect(await ledger.submit(old)).toMatchObject({ err: null });
    expect(await ledger.submit(old)).toMatchObject({ err: 'AlreadyProcessed' });
    clock.pass(50);
    expect(ledger.isBlockhashValid(blockhash)).toBe(false);
    expect(await ledger.submit(old)).toMatchObject({ err: 'BlockhashNotFound' });
  });

  it('recognizes repeated messages for as long, also after a restart', async () => {
    const place = { store: new MemoryStore() };
    const { ledger, clock, fundedWallet } = await openTestLedger({ ...options, place });
    const payer = await fundedWallet();
    const old = buildTransaction(ledger, [payer], [transferLamports(payer.address, receiver, 10_000_000n)]);
    await ledger.submit(old);
    clock.pass(1_000 * 50);
    await ledger.close();
    const again = await openTestLedger({ ...options, place, clock });
    expect(await again.ledger.submit(old)).toMatchObject({ err: 'AlreadyProcessed' });
  });
});

describe('keypairFor', () => {
  it('derives the same key for the same purpose, and others for other purposes', async () => {
    const { ledger } = await openTestLedger({ genesis: emptyGenesis });
    const { address } = ledger.keypairFor('one');
    expect(ledger.keypairFor('one').address).toBe(address);
    expect(new Set([address, ledger.keypairFor('two').address, ledger.identity, ledger.faucet]).size).toBe(4);
    await ledger.resetLedger();
    expect(ledger.keypairFor('one').address).toBe(address);
  });
});
