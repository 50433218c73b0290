import { beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { transferLamports } from '../programs/system.ts';
import { RENT_EXEMPT_EPOCH } from '../solana/account.ts';
import { addressOf, type Address } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import { decodeTransaction, type Transaction } from '../solana/transaction.ts';
import type { Keypair } from './keypair.ts';
import { advanceNonce } from './testing/instructions.ts';
import { nonceAccount } from './testing/nonce-account.ts';
import { buildTransaction, openTestLedger, type TestLedger } from './testing/test-ledger.ts';

const SLOT_MS = 400;
const CHECKED = { verifySignatures: true, replaceBlockhash: false };
const UNCHECKED = { verifySignatures: false, replaceBlockhash: false };

let world: TestLedger;
let alice: Keypair;
let bob: Address;
beforeEach(async () => {
  world = await openTestLedger();
  alice = await world.fundedWallet();
  bob = addressOf(world.random.bytes(32));
});

const pay = (lamports: bigint): Transaction =>
  buildTransaction(world.ledger, [alice], [transferLamports(alice.address, bob, lamports)]);

describe('a transaction that was simulated and is submitted then', () => {
  it('leaves the record it would have left without a simulation', async () => {
    const other = await openTestLedger();
    await other.fundedWallet();
    const transaction = pay(1_000_000n);
    const { signature } = await other.ledger.submit(transaction);
    expect(world.ledger.simulate(transaction, CHECKED).err).toBeNull();
    expect(await world.ledger.submit(transaction)).toEqual({ signature, err: null, landed: true });
    expect(world.ledger.getTransaction(signature)).toEqual(other.ledger.getTransaction(signature));
    expect(world.ledger.getAccount(alice.address)).toEqual(other.ledger.getAccount(alice.address));
  });

  it.each<[string, () => void | Promise<unknown>]>([
    ['another transaction took its money', () => world.ledger.submit(pay(9_500_000_000n))],
    [
      'an account was put in its place',
      () =>
        world.ledger.setAccounts([
          [
            alice.address,
            {
              lamports: 900_000_000n,
              owner: SYSTEM_PROGRAM,
              data: new Uint8Array(0),
              executable: false,
              rentEpoch: RENT_EXEMPT_EPOCH,
            },
          ],
        ]),
    ],
  ])('is judged again when %s meanwhile', async (_, happen) => {
    const transaction = pay(1_000_000_000n);
    expect(world.ledger.simulate(transaction, CHECKED).err).toBeNull();
    await happen();
    expect((await world.ledger.submit(transaction)).err).toEqual({ InstructionError: [0, { Custom: 1 }] });
  });

  it('lands in the slot it is submitted in, and not at all once its blockhash is too old', async () => {
    const [soon, late] = [pay(1_000_000n), pay(2_000_000n)];
    expect(world.ledger.simulate(soon, CHECKED).err).toBeNull();
    world.clock.pass(3 * SLOT_MS);
    const { signature } = await world.ledger.submit(soon);
    expect(world.ledger.getTransaction(signature)?.slot).toBe(world.ledger.head().slot);
    expect(world.ledger.simulate(late, CHECKED).err).toBeNull();
    world.clock.pass(200 * SLOT_MS);
    expect((await world.ledger.submit(late)).err).toBe('BlockhashNotFound');
  });

  it('lands once', async () => {
    const transaction = pay(1_000_000n);
    expect(world.ledger.simulate(transaction, CHECKED).err).toBeNull();
    const both = await Promise.all([world.ledger.submit(transaction), world.ledger.submit(transaction)]);
    expect(both.map(({ err }) => err)).toEqual([null, 'AlreadyProcessed']);
  });

  it('leaves a nonce as it is that an operator made of a blockhash which is old, but not too old to submit', async () => {
    const nonce = addressOf(world.random.bytes(32));
    const blockhash = decodeBase58(world.ledger.head().blockhash);
    await world.ledger.setAccounts([[nonce, nonceAccount(alice.address, blockhash)]]);
    const before = world.ledger.getAccount(nonce);
    world.clock.pass(147 * SLOT_MS);
    const instructions = [
      advanceNonce(nonce, alice.address),
      transferLamports(alice.address, bob, 50_000_000_000n),
    ];
    const transaction = buildTransaction(world.ledger, [alice], instructions, blockhash);
    const failure = { InstructionError: [1, { Custom: 1 }] };
    expect(world.ledger.simulate(transaction, CHECKED).err).toEqual(failure);
    expect(await world.ledger.submit(transaction)).toMatchObject({ err: failure, landed: true });
    expect(world.ledger.getAccount(nonce)).toEqual(before);
  });

  it('is turned away for its signature when the simulation did not look at it', async () => {
    const { wire } = pay(1_000_000n);
    const spoiled = new Uint8Array(wire);
    spoiled[5] = (spoiled[5] as number) ^ 1;
    const transaction = decodeTransaction(spoiled);
    expect(world.ledger.simulate(transaction, UNCHECKED).err).toBeNull();
    expect(await world.ledger.submit(transaction)).toMatchObject({ err: 'SignatureFailure', landed: false });
  });

  it('is told of as it is submitted when tokens came in between', async () => {
    const transaction = pay(1_000_000n);
    expect(world.ledger.simulate(transaction, CHECKED).err).toBeNull();
    await world.ledger.airdropTokens(alice.address, USDC_MINT, 5n);
    const { signature } = await world.ledger.submit(transaction);
    const [before] = world.ledger.getTransaction(signature)?.preBalances ?? [];
    expect(world.ledger.getAccount(alice.address)?.lamports).toBe((before ?? 0n) - 1_005_000n);
  });
});
