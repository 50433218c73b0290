import { beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../programs/addresses.ts';
import { transferLamports } from '../programs/system.ts';
import { type Address, addressOf } from '../solana/address.ts';
import type { Keypair } from './keypair.ts';
import type { LedgerEvent } from './ledger-events.ts';
import { HeldStore } from './testing/held-store.ts';
import { accountOf } from './testing/make-account.ts';
import { buildTransaction, openTestLedger, type TestLedger } from './testing/test-ledger.ts';

let store: HeldStore;
let world: TestLedger;
let alice: Keypair;
let bob: Address;
let told: LedgerEvent[];
beforeEach(async () => {
  store = new HeldStore();
  world = await openTestLedger({ place: { store } });
  alice = await world.fundedWallet();
  bob = addressOf(world.random.bytes(32));
  told = [];
  world.ledger.subscribe((event) => told.push(event));
});

const pay = (lamports: bigint) =>
  world.ledger.submit(
    buildTransaction(world.ledger, [alice], [transferLamports(alice.address, bob, lamports)]),
  );
const wallet = (lamports: bigint) => accountOf(SYSTEM_PROGRAM, new Uint8Array(0), lamports);

describe('the listeners of a ledger', () => {
  it('receive a landed transaction, with its changed accounts before and after', async () => {
    const before = world.ledger.getAccount(alice.address);
    const { signature } = await pay(1_000_000_000n);
    expect(told).toEqual([
      {
        kind: 'transaction',
        slot: 512,
        record: world.ledger.getTransaction(signature),
        changes: [
          { address: alice.address, before, after: world.ledger.getAccount(alice.address) },
          { address: bob, before: null, after: wallet(1_000_000_000n) },
        ],
      },
    ]);
  });

  it('receive failed transactions only if they were charged', async () => {
    const failed = await pay(100_000_000_000n);
    expect(failed.landed).toBe(true);
    expect(told[0]).toMatchObject({ kind: 'transaction', changes: [{ address: alice.address }] });
    await world.ledger.submit(
      buildTransaction(world.ledger, [alice], [transferLamports(alice.address, bob, 1n)], new Uint8Array(32)),
    );
    expect(told).toHaveLength(1);
  });

  it('receive emptied accounts as removed', async () => {
    await pay(9_999_995_000n);
    expect(told[0]?.changes).toMatchObject([{ address: alice.address, after: null }, { address: bob }]);
  });

  it('receive accounts that were set', async () => {
    await world.ledger.setAccounts([
      [bob, wallet(5n)],
      [bob, wallet(0n)],
    ]);
    expect(told).toEqual([
      {
        kind: 'accounts',
        slot: 512,
        changes: [
          { address: bob, before: null, after: wallet(5n) },
          { address: bob, before: wallet(5n), after: null },
        ],
      },
    ]);
  });

  it('receive an event once it is durable, before the submission resolves, and then see its effects', async () => {
    const steps: string[] = [];
    world.ledger.subscribe(({ kind }) =>
      steps.push(`${kind}, ${world.ledger.getAccount(bob)?.lamports} lamports`),
    );
    store.held = [];
    const first = pay(1_000_000_000n).then(() => steps.push('first submitted'));
    const second = world.ledger.setAccounts([[alice.address, wallet(3n)]]).then(() => steps.push('set'));
    await store.untilHeld(2);
    expect(steps).toEqual([]);
    // A store that finishes in another order changes nothing about the order of what happened.
    store.held[1]?.();
    await second;
    expect(steps).toEqual(['set']);
    store.held[0]?.();
    await first;
    expect(steps).toEqual([
      'set',
      'transaction, 1000000000 lamports',
      'accounts, 1000000000 lamports',
      'first submitted',
    ]);
  });

  it('receive nothing about a failed write', async () => {
    store.failure = new Error('no space left on device');
    await expect(pay(1_000_000_000n)).rejects.toThrow('no space left');
    expect(told).toEqual([]);
  });
});
