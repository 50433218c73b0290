import { afterAll, beforeAll, expect, it } from 'vitest';
import { lengthOf } from '../../test/length.ts';
import { Keypair } from '../ledger/keypair.ts';
import { SeededRandom } from '../ledger/testing/seeded-random.ts';
import { NOOP_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { setComputeUnitLimit } from '../programs/compute-budget.ts';
import { addMemo } from '../programs/memo.ts';
import { transferLamports } from '../programs/system.ts';
import { decodeTokenAccount } from '../programs/token/state.ts';
import type { Address } from '../solana/address.ts';
import { type Instruction, readonly, signer, writable, writableSigner } from '../solana/instruction.ts';
import { decodeTransaction, type Transaction } from '../solana/transaction.ts';
import {
  ataOf,
  createAta,
  FacilitatorScene,
  PRICE,
  setComputeUnitPrice,
} from './testing/facilitator-scene.ts';

let scene: FacilitatorScene;
beforeAll(async () => {
  scene = await FacilitatorScene.open();
  await scene.payments.base.airdropTokens(scene.key.address, USDC_MINT, 1_000_000n);
});
afterAll(() => scene.close());

const STRANGER = new Keypair(new Uint8Array(32).fill(9)).address;
const random = new SeededRandom('x402');
const pick = <T>(items: readonly T[]): T => items[random.integer(items.length)] as T;

/** Returns an instruction that may or may not belong into a payment. */
function randomInstruction(): Instruction {
  const { payer, merchant, key } = scene;
  const wallets = [payer.address, payer.address, merchant.address, key.address, STRANGER];
  const rights = [readonly, writable, signer, writableSigner];
  return pick([
    () => setComputeUnitLimit(pick([1_000, 20_000, 400_000, 400_001, 1_400_000])),
    () => setComputeUnitPrice(pick([0n, 1n, 5_000_000n, 5_000_001n, 1n << 60n])),
    () =>
      scene.transferOf({
        amount: pick([0n, PRICE - 1n, PRICE, PRICE + 1n]),
        authority: pick(wallets),
        source: ataOf(pick(wallets)),
        destination: ataOf(pick(wallets)),
      }),
    () => addMemo(`${random.integer(1_000_000)}`),
    () => ({ ...addMemo('x'), accounts: [pick(rights)(pick(wallets))] }),
    () => transferLamports(pick(wallets), pick(wallets), 1_000n),
    () => createAta(pick(wallets), pick(wallets)),
    () => ({ programId: NOOP_PROGRAM, accounts: [pick(rights)(pick(wallets))], data: Uint8Array.of(1) }),
  ])();
}

/** Returns the instructions of a payment with up to three of them replaced, added or dropped. */
function randomInstructions(): Instruction[] {
  const instructions = scene.instructions();
  for (let changes = random.integer(4); changes > 0; changes--) {
    const at = random.integer(instructions.length + 1);
    instructions.splice(at, random.integer(2), ...(random.integer(4) === 0 ? [] : [randomInstruction()]));
  }
  return instructions;
}

/** Builds a random transaction whose payer has signed it. */
function randomWire(): Uint8Array {
  const wire = scene.build({
    instructions: randomInstructions(),
    feePayer: random.integer(20) === 0 ? scene.payer.address : scene.key.address,
  });
  if (random.integer(3) > 0) return wire;
  const messageAt = 1 + 64 * (wire[0] as number);
  wire[messageAt + random.integer(wire.length - messageAt)] = random.integer(256);
  if (wire[0] === 2) wire.set(scene.payer.sign(wire.subarray(messageAt)), 65);
  return wire;
}

const tokensOf = (owner: Address): bigint => {
  const account = scene.payments.base.getAccount(ataOf(owner));
  return account === null ? 0n : (decodeTokenAccount(account.data)?.amount ?? 0n);
};

const balances = () => ({
  lamports: scene.payments.base.getAccount(scene.key.address)?.lamports ?? 0n,
  tokens: tokensOf(scene.key.address),
  earned: tokensOf(scene.merchant.address),
});

const COUNT = lengthOf({ short: 200, long: 10_000 });

it(`of ${COUNT} random payments, those that are signed pay the merchant and cost their fee only`, async () => {
  const { payer, payments } = scene;
  const { base } = payments;
  let [valid, refused] = [0, 0];
  for (let round = 0; round < COUNT; round++) {
    const verdict = await scene.verifier.verify(scene.body(randomWire()));
    if (!verdict.isValid) {
      refused++;
      continue;
    }
    valid++;
    if (tokensOf(payer.address) < 100n * PRICE)
      await base.airdropTokens(payer.address, USDC_MINT, 100n * PRICE);
    const before = balances();
    const transaction: Transaction = decodeTransaction(scene.key.cosign(verdict.payment).wire);
    expect(await base.submit(transaction)).toMatchObject({ err: null, landed: true });
    const after = balances();
    expect(after.earned - before.earned).toBe(verdict.payment.amount);
    expect(after.earned - before.earned).toBeGreaterThanOrEqual(PRICE);
    expect(after.tokens).toBe(before.tokens);
    expect(before.lamports - after.lamports).toBeLessThanOrEqual(verdict.payment.lamportsMax);
    payments.pass(base.slotMs);
  }
  expect(valid).toBeGreaterThan(COUNT / 20);
  expect(refused).toBeGreaterThan(COUNT / 4);
});
