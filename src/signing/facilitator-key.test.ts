import { describe, expect, it } from 'vitest';
import { Keypair } from '../ledger/keypair.ts';
import type { VerifiedPayment } from '../facilitator/verified-payment.ts';
import { COMPUTE_BUDGET_PROGRAM, USDC_MINT } from '../programs/addresses.ts';
import { setComputeUnitLimit } from '../programs/compute-budget.ts';
import { addMemo } from '../programs/memo.ts';
import { addressBytes } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import { type Instruction, signer } from '../solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../solana/message.ts';
import { SIGNATURE_BYTES } from '../solana/signature.ts';
import { isStrictlySigned } from '../solana/strict-signature.ts';
import { decodeTransaction, messageOf, V1_TRANSACTION_BYTES_MAX } from '../solana/transaction.ts';
import { createFacilitatorKey } from './facilitator-key.ts';

const SEED = new Uint8Array(32).fill(42);
const OWN = new Keypair(SEED);
const PAYER = new Keypair(new Uint8Array(32).fill(7));

const key = createFacilitatorKey(JSON.stringify([...SEED, ...addressBytes(OWN.address)]), 'KEY');

/** Builds a payment with these instructions after those of the compute budget, signed by its payer. */
function paymentOf(...instructions: Instruction[]): VerifiedPayment {
  const price = {
    programId: COMPUTE_BUDGET_PROGRAM,
    accounts: [],
    data: Uint8Array.of(3, 1, 0, 0, 0, 0, 0, 0, 0),
  };
  const message = compileLegacyMessage({
    feePayer: OWN.address,
    blockhash: new Uint8Array(32).fill(1),
    instructions: [setComputeUnitLimit(20_000), price, ...instructions],
  });
  const wire = encodeUnsignedTransaction(message);
  if (message.signers.length > 1) wire.set(PAYER.sign(message.bytes), 65);
  return {
    id: 'id',
    identifier: null,
    cluster: 'localnet',
    ledger: 'base',
    network: 'solana',
    wire,
    lastValidBlockHeight: 150,
    payer: PAYER.address,
    payTo: PAYER.address,
    mint: USDC_MINT,
    amount: 1n,
    lamportsMax: 10_001n,
  };
}

const paid = (): VerifiedPayment => paymentOf({ ...addMemo('x'), accounts: [signer(PAYER.address)] });

describe('the key of the facilitator', () => {
  it('signs a payment for its network fee, and leaves the bytes that it was given', () => {
    const payment = paid();
    const before = Uint8Array.from(payment.wire);
    const { wire, signature } = key.cosign(payment);
    const { signatures, ...transaction } = decodeTransaction(wire);
    expect(signatures[0]).toEqual(decodeBase58(signature));
    expect(isStrictlySigned(addressBytes(key.address), messageOf(transaction), decodeBase58(signature))).toBe(
      true,
    );
    expect(payment.wire).toEqual(before);
    expect(wire.subarray(65)).toEqual(before.subarray(65));
  });

  it('signs nothing that the payer has not signed', () => {
    const payment = paid();
    payment.wire[100] = (payment.wire[100] as number) ^ 1;
    expect(() => key.cosign(payment)).toThrow();
    expect(() => key.cosign(paymentOf(addMemo('x')))).toThrow(
      expect.objectContaining({ reason: 'invalid_exact_svm_payload_signature_invalid' }),
    );
  });

  it('signs no instruction that names it', () => {
    const named = { ...addMemo('x'), accounts: [signer(PAYER.address), signer(OWN.address)] };
    expect(() => key.cosign(paymentOf(named))).toThrow(
      expect.objectContaining({
        reason: 'invalid_exact_svm_payload_transaction_fee_payer_transferring_funds',
      }),
    );
  });

  it('signs no other bytes than one transaction', () => {
    const payment = paid();
    expect(() => key.cosign({ ...payment, wire: Uint8Array.of(...payment.wire, 0) })).toThrow();
    expect(() => key.cosign({ ...payment, wire: payment.wire.subarray(0, 100) })).toThrow();
  });

  it.each(['', '{"version":1}', '\0'.repeat(1_000)])(
    'signs a JWS over bytes that are not a transaction message: %j',
    (payload) => {
      const [header = '', content = '', signature = ''] = key.signJws(payload).split('.');
      const signed = Buffer.from(`${header}.${content}`);
      expect(isStrictlySigned(addressBytes(key.address), signed, Buffer.from(signature, 'base64url'))).toBe(
        true,
      );
      expect(Buffer.from(content, 'base64url').toString()).toBe(payload);
      const [signers = 0, readOnlySigners = 0] = signed;
      expect(signers).toBeLessThan(0x80);
      expect(readOnlySigners).toBeGreaterThan(signers);
      expect(signers * SIGNATURE_BYTES).toBeGreaterThan(V1_TRANSACTION_BYTES_MAX);
    },
  );

  it('names the setting and does not quote an invalid key', () => {
    expect(() => createFacilitatorKey('[1,2,canary]', 'FACILITATOR_SECRET_KEY')).toThrow(
      /^FACILITATOR_SECRET_KEY is not a valid Solana secret key: it must be a JSON array of 64 numbers/,
    );
  });
});
