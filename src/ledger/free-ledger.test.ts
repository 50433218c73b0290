import { beforeEach, describe, expect, it } from 'vitest';
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../programs/associated-token.ts';
import { addMemo } from '../programs/memo.ts';
import { transferLamports } from '../programs/system.ts';
import { RECENT_BLOCKHASHES_SYSVAR } from '../programs/sysvars.ts';
import { transferTokens } from '../programs/token/instructions.ts';
import { rentExemptMinimum } from '../solana/account.ts';
import { type Address, addressOf } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import type { Instruction } from '../solana/instruction.ts';
import { Keypair } from './keypair.ts';
import { advanceNonce } from './testing/instructions.ts';
import { accountOf } from './testing/make-account.ts';
import { nonceAccount } from './testing/nonce-account.ts';
import { buildTransaction, openTestLedger, type TestLedger } from './testing/test-ledger.ts';

const UNCHECKED = { verifySignatures: false, replaceBlockhash: false };
const SOL = 1_000_000_000n;

let world: TestLedger;
/** A wallet with 10 SOL. */
let alice: Keypair;
/** A wallet without an account. */
let nobody: Keypair;
let bob: Address;
beforeEach(async () => {
  world = await openTestLedger({ lamportsPerSignature: 0, slotMs: 50 });
  alice = await world.fundedWallet();
  nobody = new Keypair(world.random.bytes(32));
  bob = addressOf(world.random.bytes(32));
});

const build = (signers: [Keypair, ...Keypair[]], ...instructions: Instruction[]) =>
  buildTransaction(world.ledger, signers, instructions);
const lamportsOf = (address: Address): bigint | undefined => world.ledger.getAccount(address)?.lamports;

/** `SetComputeUnitPrice`, micro-lamports. */
function unitPrice(price: bigint): Instruction {
  const data = Buffer.alloc(9);
  data[0] = 3;
  data.writeBigUInt64LE(price, 1);
  return { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}

/** `SetComputeUnitLimit` of 1,400,000. */
const UNIT_LIMIT_MAX: Instruction = {
  programId: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: Uint8Array.of(2, 0xc0, 0x5c, 0x15, 0),
};

describe('a ledger that charges nothing', () => {
  it('charges nothing, in simulations and in transactions', async () => {
    const transaction = build([alice], transferLamports(alice.address, bob, SOL));
    const expected = {
      err: null,
      fee: 0n,
      preBalances: [10n * SOL, 0n, 1n],
      postBalances: [9n * SOL, SOL, 1n],
    };
    const total = world.ledger.totalLamports();
    expect(world.ledger.simulate(transaction, UNCHECKED)).toMatchObject(expected);
    expect(lamportsOf(alice.address)).toBe(10n * SOL);
    const { signature, landed } = await world.ledger.submit(transaction);
    expect(landed).toBe(true);
    expect(world.ledger.getTransaction(signature)).toMatchObject(expected);
    expect([lamportsOf(alice.address), lamportsOf(bob)]).toEqual([9n * SOL, SOL]);
    expect(world.ledger.totalLamports()).toBe(total);
  });

  it('allows a wallet to transfer its last lamport', async () => {
    const { err } = await world.ledger.submit(
      build([alice], transferLamports(alice.address, bob, 10n * SOL)),
    );
    expect(err).toBeNull();
    expect([lamportsOf(alice.address), lamportsOf(bob)]).toEqual([undefined, 10n * SOL]);
  });

  it('accepts a fee payer that does not exist, and does not create it', async () => {
    const pay = build([nobody, alice], transferLamports(alice.address, bob, SOL));
    const { err, signature } = await world.ledger.submit(pay);
    expect(err).toBeNull();
    expect(lamportsOf(nobody.address)).toBeUndefined();
    expect(world.ledger.getTransaction(signature)).toMatchObject({
      fee: 0n,
      preBalances: [0n, 10n * SOL, 0n, 1n],
      postBalances: [0n, 9n * SOL, SOL, 1n],
    });
  });

  it('gives an absent payer no lamports to spend', async () => {
    const take = build([nobody], transferLamports(nobody.address, bob, 1n));
    const { err, signature, landed } = await world.ledger.submit(take);
    expect(err).toEqual({ InstructionError: [0, { Custom: 1 }] });
    expect(landed).toBe(true);
    expect(world.ledger.getTransaction(signature)).toMatchObject({
      fee: 0n,
      preBalances: [0n, 0n, 1n],
      postBalances: [0n, 0n, 1n],
    });
    expect(lamportsOf(bob)).toBeUndefined();
    // It lands once, as everywhere.
    expect((await world.ledger.submit(take)).err).toBe('AlreadyProcessed');
  });

  it('can pay a payer that did not exist', async () => {
    const pay = build([nobody, alice], transferLamports(alice.address, nobody.address, SOL));
    expect((await world.ledger.submit(pay)).err).toBeNull();
    expect(world.ledger.getAccount(nobody.address)).toMatchObject({ lamports: SOL, owner: SYSTEM_PROGRAM });
    const back = build([nobody], transferLamports(nobody.address, alice.address, SOL));
    expect((await world.ledger.submit(back)).err).toBeNull();
    expect([lamportsOf(nobody.address), lamportsOf(alice.address)]).toEqual([undefined, 10n * SOL]);
  });

  it('charges nothing for a transaction that fails', async () => {
    const transaction = build([alice], transferLamports(alice.address, bob, 11n * SOL));
    const { err, landed } = await world.ledger.submit(transaction);
    expect([err, landed]).toEqual([{ InstructionError: [0, { Custom: 1 }] }, true]);
    expect(lamportsOf(alice.address)).toBe(10n * SOL);
  });

  it('charges no priority fee', async () => {
    const offer = build([alice], unitPrice(5_000_000_000n), transferLamports(alice.address, bob, SOL));
    expect(world.ledger.simulate(offer, UNCHECKED)).toMatchObject({ err: null, fee: 0n });
    expect((await world.ledger.submit(offer)).err).toBeNull();
    expect(lamportsOf(alice.address)).toBe(9n * SOL);
  });

  it('rejects a priority fee beyond u64', async () => {
    const offer = build([alice], unitPrice(2n ** 64n - 1n), UNIT_LIMIT_MAX, addMemo('too much'));
    expect(await world.ledger.submit(offer)).toMatchObject({ err: 'InsufficientFundsForFee', landed: false });
    expect(lamportsOf(alice.address)).toBe(10n * SOL);
  });

  it('still rejects a fee payer that a program owns', async () => {
    await world.ledger.setAccounts([[nobody.address, accountOf(TOKEN_PROGRAM, new Uint8Array(0))]]);
    expect((await world.ledger.submit(build([nobody], addMemo('mine')))).err).toBe('InvalidAccountForFee');
  });

  it('transfers tokens of a wallet without lamports', async () => {
    await world.ledger.airdropTokens(nobody.address, USDC_MINT, 1_000n);
    const [source, ata] = [nobody.address, bob].map(
      (owner) => deriveAta(owner, USDC_MINT, TOKEN_PROGRAM).address,
    ) as [Address, Address];
    const create = createAtaIdempotent({
      payer: alice.address,
      ata,
      owner: bob,
      mint: USDC_MINT,
      tokenProgram: TOKEN_PROGRAM,
    });
    const move = transferTokens(TOKEN_PROGRAM, { source, destination: ata, authority: nobody.address }, 400n);
    const { err, signature } = await world.ledger.submit(build([nobody, alice], create, move));
    expect(err).toBeNull();
    expect(lamportsOf(alice.address)).toBe(10n * SOL - rentExemptMinimum(165));
    const record = world.ledger.getTransaction(signature);
    expect(record?.postTokenBalances.map(({ amount }) => amount).toSorted()).toEqual([400n, 600n]);
  });

  it('has a fee of 0 in the RecentBlockhashes sysvar', () => {
    const { data } = world.ledger.getAccount(RECENT_BLOCKHASHES_SYSVAR) ?? {};
    expect(Buffer.from(data ?? []).readBigUInt64LE(40)).toBe(0n);
  });

  it('uses up a durable nonce of a payer that does not exist, also when the transaction fails', async () => {
    const nonce = new Keypair(world.random.bytes(32));
    const value = world.random.bytes(32);
    await world.ledger.setAccounts([[nonce.address, nonceAccount(nobody.address, value)]]);
    const transaction = buildTransaction(
      world.ledger,
      [nobody],
      [advanceNonce(nonce.address, nobody.address), transferLamports(nobody.address, bob, 1n)],
      value,
    );
    const { err, landed } = await world.ledger.submit(transaction);
    expect([err, landed]).toEqual([{ InstructionError: [1, { Custom: 1 }] }, true]);
    const after = world.ledger.getAccount(nonce.address);
    expect(Buffer.from(after?.data.subarray(40, 72) ?? [])).not.toEqual(Buffer.from(value));
    expect(lamportsOf(nobody.address)).toBeUndefined();
  });
});

describe('slots of 50 ms', () => {
  it('pass every 50 ms, and blockhashes advance with them', async () => {
    const { blockhash, slot } = world.ledger.head();
    world.clock.pass(50 * 150);
    expect(world.ledger.head().slot).toBe(slot + 150);
    expect(world.ledger.isBlockhashValid(blockhash)).toBe(true);
    const memo = buildTransaction(world.ledger, [alice], [addMemo('in time')], decodeBase58(blockhash));
    expect((await world.ledger.submit(memo)).err).toBeNull();
    world.clock.pass(50);
    expect(world.ledger.isBlockhashValid(blockhash)).toBe(false);
    expect(world.ledger.slotMs).toBe(50);
    // Twenty slots to the second.
    const [first, last] = [slot, slot + 151].map((at) => world.ledger.block(at)?.blockTime ?? NaN);
    expect((last as number) - (first as number)).toBe(7);
  });
});
