import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Keypair } from '../../ledger/keypair.ts';
import { buildV0 } from '../../ledger/testing/build-v0.ts';
import {
  advanceNonce,
  createAccount,
  createLookupTable,
  extendLookupTable,
  initializeNonce,
  withdrawNonce,
} from '../../ledger/testing/instructions.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../../ledger/testing/test-ledger.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { transferLamports } from '../../programs/system.ts';
import type { Address } from '../../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../../solana/base58.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { callMethod } from '../testing/call-method.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { isForNextSlot, nextSlot } from '../transactions/next-slot.ts';

const RECEIVER = addressFilledWith(9);

let world: TestLedger;
let wallet: Keypair;

beforeEach(async () => {
  world = await openTestLedger({ slotMs: 80 });
  wallet = await world.fundedWallet();
});

afterEach(() => world.ledger.close());

/** A nonce account that this very slot made. */
async function newNonce(): Promise<Address> {
  const { ledger } = world;
  const nonce = new Keypair(world.random.bytes(32));
  const kept = { lamports: 1_447_680n, space: 80n, owner: SYSTEM_PROGRAM };
  await ledger.submit(
    buildTransaction(
      ledger,
      [wallet, nonce],
      [createAccount(wallet.address, nonce.address, kept), initializeNonce(nonce.address, wallet.address)],
    ),
  );
  return nonce.address;
}

const payReceiver = (): Instruction => transferLamports(wallet.address, RECEIVER, 1_000_000n);

/** A transfer on the nonce of an account that this very slot made. */
async function onNewNonce(): Promise<Transaction> {
  const nonce = await newNonce();
  const carried = world.ledger.getAccount(nonce)?.data.slice(40, 72);
  return buildTransaction(
    world.ledger,
    [wallet],
    [advanceNonce(nonce, wallet.address), payReceiver()],
    carried,
  );
}

/** A transfer on a blockhash, with the advance of a nonce that this very slot made. */
async function advancingNewNonce(): Promise<Transaction> {
  const nonce = await newNonce();
  return buildTransaction(world.ledger, [wallet], [payReceiver(), advanceNonce(nonce, wallet.address)]);
}

/** A transfer on a blockhash, with the withdrawal of all of a nonce account that this very slot made. */
async function emptyingNewNonce(): Promise<Transaction> {
  const nonce = await newNonce();
  return buildTransaction(
    world.ledger,
    [wallet],
    [payReceiver(), withdrawNonce(nonce, wallet.address, 1_447_680n)],
  );
}

/** A transfer to the first address of a lookup table. */
const throughTable = (table: Address): Transaction =>
  buildV0({
    payer: wallet,
    keys: [SYSTEM_PROGRAM],
    readonlyCount: 1,
    blockhash: decodeBase58(world.ledger.head().blockhash),
    instructions: [
      { program: 1, accounts: [0, 2], data: transferLamports(wallet.address, RECEIVER, 1_000_000n).data },
    ],
    lookups: [{ table, writable: [0], readonly: [] }],
  });

/** A transfer to an address that was appended to a lookup table in this very slot. */
async function throughNewTable(): Promise<Transaction> {
  const { ledger } = world;
  const { table, instruction } = createLookupTable(wallet.address, BigInt(ledger.head().slot - 1));
  const extend = extendLookupTable(table, wallet.address, [RECEIVER]);
  await ledger.submit(buildTransaction(ledger, [wallet], [instruction, extend]));
  return throughTable(table);
}

const cases = [
  ['on a nonce', onNewNonce],
  ['that advances a nonce (bug: it was rejected)', advancingNewNonce],
  ['that empties a nonce account', emptyingNewNonce],
  ['through addresses of a lookup table', throughNewTable],
] as const;

describe.each(cases)('a transaction %s that the current slot created', (_, build) => {
  it.each([false, true])('lands in the next slot (preflight skipped: %s)', async (skipPreflight) => {
    const { ledger, clock } = world;
    const { slot } = ledger.head();
    const { wire, signatures } = await build();
    const sent = callMethod(ledger, 'sendTransaction', Buffer.from(wire).toString('base64'), {
      encoding: 'base64',
      skipPreflight,
    });
    expect(ledger.getAccount(RECEIVER)).toBeNull();
    clock.pass(ledger.slotMs);
    expect(await sent).toEqual({ result: encodeBase58(signatures[0] as Uint8Array) });
    expect(ledger.getAccount(RECEIVER)?.lamports).toBe(1_000_000n);
    expect(ledger.getTransaction(encodeBase58(signatures[0] as Uint8Array))?.slot).toBe(slot + 1);
  });

  it('is rejected while the clock is paused', async () => {
    const { wire } = await build();
    const text = Buffer.from(wire).toString('base64');
    expect(await callMethod(world.ledger, 'sendTransaction', text, { encoding: 'base64' })).toHaveProperty(
      'error',
    );
  });
});

describe('isForNextSlot()', () => {
  it('is true for accounts of the current slot, but not later', async () => {
    const transactions = await Promise.all(cases.map(([, build]) => build()));
    const judge = (): boolean[] => transactions.map((each) => isForNextSlot(world.ledger, each));
    expect(judge()).toEqual(cases.map(() => true));
    world.clock.pass(world.ledger.slotMs);
    expect(judge()).toEqual(cases.map(() => false));
  });

  it('is false for an error that no later slot fixes', async () => {
    const { ledger } = world;
    const transfer = transferLamports(wallet.address, RECEIVER, 1n);
    const advance = advanceNonce(addressFilledWith(8), wallet.address);
    const withdrawal = withdrawNonce(await newNonce(), wallet.address, 1n);
    const stale = new Uint8Array(32).fill(3);
    expect(isForNextSlot(ledger, buildTransaction(ledger, [wallet], [transfer]))).toBe(false);
    expect(isForNextSlot(ledger, buildTransaction(ledger, [wallet], [transfer], stale))).toBe(false);
    expect(isForNextSlot(ledger, buildTransaction(ledger, [wallet], [advance], stale))).toBe(false);
    expect(isForNextSlot(ledger, buildTransaction(ledger, [wallet], [advance, withdrawal]))).toBe(false);
    expect(isForNextSlot(ledger, throughTable(addressFilledWith(7)))).toBe(false);
  });
});

describe('nextSlot()', () => {
  it('waits for the next slot', async () => {
    const { ledger, clock } = world;
    let isOver = false;
    const waited = nextSlot(ledger).then(() => (isOver = true));
    await Promise.resolve();
    expect(isOver).toBe(false);
    clock.pass(ledger.slotMs);
    await waited;
  });
});
