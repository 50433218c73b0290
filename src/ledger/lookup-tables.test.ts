import { beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../programs/addresses.ts';
import { transferLamports } from '../programs/system.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import type { Transaction } from '../solana/transaction.ts';
import type { Keypair } from './keypair.ts';
import { TransactionRejected } from './ledger.ts';
import { buildV0 } from './testing/build-v0.ts';
import { createLookupTable, deactivateLookupTable, extendLookupTable } from './testing/instructions.ts';
import { buildTransaction, openTestLedger, type TestLedger } from './testing/test-ledger.ts';

let world: TestLedger;
let alice: Keypair;
let bob: Address;
let table: Address;

beforeEach(async () => {
  world = await openTestLedger();
  alice = await world.fundedWallet();
  bob = addressOf(world.random.bytes(32));
  const { slot } = world.ledger.head();
  const created = createLookupTable(alice.address, BigInt(slot - 1));
  table = created.table;
  const instructions = [created.instruction, extendLookupTable(table, alice.address, [bob])];
  const transaction = buildTransaction(world.ledger, [alice], instructions);
  expect((await world.ledger.submit(transaction)).err).toBeNull();
});

/** A payment to the first address of the table. */
function pay(lamports: bigint): Transaction {
  return buildV0({
    payer: alice,
    keys: [SYSTEM_PROGRAM],
    readonlyCount: 1,
    blockhash: decodeBase58(world.ledger.head().blockhash),
    instructions: [
      { program: 1, accounts: [0, 2], data: transferLamports(alice.address, bob, lamports).data },
    ],
    lookups: [{ table, writable: [0], readonly: [] }],
  });
}

describe('a lookup table made on the ledger', () => {
  it('cannot be used in the slot it was extended in', async () => {
    await expect(world.ledger.submit(pay(1_000_000n))).rejects.toThrow(
      new TransactionRejected('InvalidAddressLookupTableIndex'),
    );
  });

  it('names accounts for v0 transactions from the next slot on', async () => {
    world.clock.pass(400);
    const { signature, err } = await world.ledger.submit(pay(1_000_000n));
    expect(err).toBeNull();
    expect(world.ledger.getAccount(bob)?.lamports).toBe(1_000_000n);
    const record = world.ledger.getTransaction(signature);
    expect(record?.loadedAddresses).toEqual({ writable: [bob], readonly: [] });
    expect(record?.postBalances[2]).toBe(1_000_000n);
    expect(record?.loadedAccountsDataSize).toBe(64 + 64 + 21 + 8_248);
  });

  it('serves 512 slots after it was deactivated, and not one more', async () => {
    world.clock.pass(400);
    const deactivate = buildTransaction(world.ledger, [alice], [deactivateLookupTable(table, alice.address)]);
    expect((await world.ledger.submit(deactivate)).err).toBeNull();
    expect((await world.ledger.submit(pay(1_000_000n))).err).toBeNull();
    world.clock.pass(512 * 400);
    expect((await world.ledger.submit(pay(1_000_001n))).err).toBeNull();
    world.clock.pass(400);
    await expect(world.ledger.submit(pay(1_000_002n))).rejects.toThrow(
      new TransactionRejected('AddressLookupTableNotFound'),
    );
  });
});
