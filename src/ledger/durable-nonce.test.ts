import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../programs/addresses.ts';
import { transferLamports } from '../programs/system.ts';
import { rentExemptMinimum } from '../solana/account.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import type { Transaction } from '../solana/transaction.ts';
import { Keypair } from './keypair.ts';
import { advanceNonce, createAccount, initializeNonce } from './testing/instructions.ts';
import { buildTransaction, openTestLedger, type TestLedger } from './testing/test-ledger.ts';

const UNCHECKED = { verifySignatures: false, replaceBlockhash: false };

let world: TestLedger;
let alice: Keypair;
let nonce: Keypair;
let bob: Address;

beforeEach(async () => {
  world = await openTestLedger();
  alice = await world.fundedWallet();
  nonce = new Keypair(world.random.bytes(32));
  bob = addressOf(world.random.bytes(32));
  const account = { lamports: rentExemptMinimum(80), space: 80n, owner: SYSTEM_PROGRAM };
  const create = buildTransaction(
    world.ledger,
    [alice, nonce],
    [createAccount(alice.address, nonce.address, account), initializeNonce(nonce.address, alice.address)],
  );
  expect((await world.ledger.submit(create)).err).toBeNull();
  world.clock.pass(400);
});

const stored = (): Buffer => Buffer.from(world.ledger.getAccount(nonce.address)?.data ?? []).subarray(40, 72);
const nonceAfter = (blockhash: string): Buffer =>
  createHash('sha256').update('DURABLE_NONCE').update(decodeBase58(blockhash)).digest();

/** A payment that is good until the nonce is used. */
function pay(lamports: bigint, carried: Uint8Array = stored()): Transaction {
  const instructions = [
    advanceNonce(nonce.address, alice.address),
    transferLamports(alice.address, bob, lamports),
  ];
  return buildTransaction(world.ledger, [alice], instructions, carried);
}

describe('a durable nonce', () => {
  it('derives from the newest blockhash, regardless of the blockhash of the transaction', async () => {
    const old = decodeBase58(world.ledger.head().blockhash);
    world.clock.pass(40_000);
    const { blockhash } = world.ledger.head();
    const advance = buildTransaction(
      world.ledger,
      [alice],
      [advanceNonce(nonce.address, alice.address)],
      old,
    );
    expect((await world.ledger.submit(advance)).err).toBeNull();
    expect(stored()).toEqual(nonceAfter(blockhash));
  });

  it('keeps a transaction valid until it is used', async () => {
    const payment = pay(1_000_000n);
    world.clock.pass(3_600_000);
    const { blockhash } = world.ledger.head();
    expect(world.ledger.simulate(payment, UNCHECKED).err).toBeNull();
    expect(await world.ledger.submit(payment)).toMatchObject({ err: null, landed: true });
    expect(world.ledger.getAccount(bob)?.lamports).toBe(1_000_000n);
    expect(stored()).toEqual(nonceAfter(blockhash));
  });

  it('allows a transaction to land once', async () => {
    const payment = pay(1_000_000n);
    expect((await world.ledger.submit(payment)).err).toBeNull();
    expect((await world.ledger.submit(payment)).err).toBe('BlockhashNotFound');
    world.clock.pass(400);
    expect((await world.ledger.submit(payment)).err).toBe('BlockhashNotFound');
    expect(world.ledger.simulate(payment, UNCHECKED).err).toBe('BlockhashNotFound');
    expect((await world.ledger.submit(pay(1_000_000n))).err).toBeNull();
    expect(world.ledger.getAccount(bob)?.lamports).toBe(2_000_000n);
  });

  it('is used up by a transaction that fails, which is charged', async () => {
    const before = world.ledger.getAccount(alice.address)?.lamports ?? 0n;
    const payment = pay(10n ** 15n);
    const { blockhash } = world.ledger.head();
    const { err, landed, signature } = await world.ledger.submit(payment);
    expect([err, landed]).toEqual([{ InstructionError: [1, { Custom: 1 }] }, true]);
    expect(world.ledger.getAccount(alice.address)?.lamports).toBe(before - 5_000n);
    expect(stored()).toEqual(nonceAfter(blockhash));
    expect(world.ledger.getTransaction(signature)?.fee).toBe(5_000n);
    expect((await world.ledger.submit(payment)).err).toBe('BlockhashNotFound');
  });

  it('can be advanced once in a slot', async () => {
    expect((await world.ledger.submit(pay(1_000_000n))).err).toBeNull();
    const again = pay(1_000_001n);
    expect((await world.ledger.submit(again)).err).toBe('BlockhashNotFound');
    world.clock.pass(400);
    expect((await world.ledger.submit(again)).err).toBeNull();
  });

  it('works only with the signature of its authority', async () => {
    const mallory = await world.fundedWallet();
    const theft = buildTransaction(
      world.ledger,
      [mallory],
      [advanceNonce(nonce.address, mallory.address)],
      stored(),
    );
    expect((await world.ledger.submit(theft)).err).toBe('BlockhashNotFound');
  });

  it('is ignored when the blockhash is replaced', () => {
    const { err } = world.ledger.simulate(pay(1_000_000n, world.random.bytes(32)), {
      verifySignatures: false,
      replaceBlockhash: true,
    });
    expect(err).toBeNull();
  });
});
