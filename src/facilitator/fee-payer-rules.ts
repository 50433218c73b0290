import { accountsOf, type Call, callsOf, readSignatures } from '../payments/explain/call.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../programs/addresses.ts';
import { COMPUTE_BUDGET_TABLE, readBudgetRequest } from '../programs/compute-budget.ts';
import type { Address } from '../solana/address.ts';
import type { Transaction } from '../solana/transaction.ts';
import { PaymentRefusal } from './refusal.ts';

/** Maximum compute unit limit (scheme_exact_svm, 2.2.1). */
const UNITS_MAX = 400_000n;

/** Maximum price of a compute unit, in microlamports (scheme_exact_svm, 3.1: 5 lamports). */
const MICRO_LAMPORTS_MAX = 5_000_000n;

/**
 * Maximum priority fee of a payment, in lamports. Stock clients set less than one. The bounds above allow two
 * million, which would let anyone drain the fee payer by paying themselves.
 */
const PRIORITY_LAMPORTS_MAX = 50_000n;

/** Sizes of the two compute budget instructions: tag u8, and units u32 or price u64. */
const LIMIT_BYTES = 5;
const PRICE_BYTES = 9;

/**
 * Checks that the fee payer of a transaction signs for nothing except the network fee, and that at most one
 * other key signs. Returns the calls of the transaction.
 *
 * @param transaction a sane transaction (`isSane`).
 * @throws {PaymentRefusal}
 */
export function requireIsolated(transaction: Transaction, feePayer: Address): readonly Call[] {
  if (transaction.version === 1) {
    // Its priority fee is in its config, which compute budget instructions do not change.
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_transaction',
      'The transaction has version 1: build a legacy or v0 transaction',
    );
  }
  if (transaction.lookups.length > 0) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_transaction',
      'The transaction uses lookup tables: name all accounts in the message',
    );
  }
  if (transaction.staticKeys[0] !== feePayer) {
    throw new PaymentRefusal(
      'invalid_exact_svm_fee_payer_mismatch',
      `The fee payer of the transaction is not ${feePayer}: use the one in extra.feePayer`,
    );
  }
  if (transaction.requiredSignatures > 2) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_excessive_signers',
      `The transaction needs ${transaction.requiredSignatures} signatures: only the fee payer and the payer may sign`,
    );
  }
  const calls = callsOf(transaction, accountsOf(transaction, new Map()));
  const isNamed = calls.some(
    ({ program, accounts }) => program === feePayer || accounts.some(({ address }) => address === feePayer),
  );
  if (isNamed) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_transaction_fee_payer_transferring_funds',
      `An instruction names the fee payer ${feePayer}, which may only pay the network fee`,
    );
  }
  return calls;
}

/**
 * Checks that the first two calls set a compute unit limit and price within bounds, in this order (x402) or
 * the reverse (`@solana/mpp`). Others cannot raise them, because the network rejects a repeated one (Agave
 * `DuplicateInstruction`).
 *
 * @throws {PaymentRefusal}
 */
export function requireBoundedFee([first, second]: readonly Call[]): void {
  const { setComputeUnitLimit, setComputeUnitPrice } = COMPUTE_BUDGET_TABLE;
  const isReverse = budgetOf(first, setComputeUnitPrice.tag, PRICE_BYTES) !== null;
  const [limit, price] = isReverse ? [second, first] : [first, second];
  const units = budgetOf(limit, setComputeUnitLimit.tag, LIMIT_BYTES);
  if (units === null) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction',
      'The first or second instruction must set the compute unit limit',
    );
  }
  if (units > UNITS_MAX) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high',
      `The compute unit limit is ${units}, but at most ${UNITS_MAX} is accepted`,
    );
  }
  const microLamports = budgetOf(price, setComputeUnitPrice.tag, PRICE_BYTES);
  if (microLamports === null) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction',
      'The first or second instruction must set the price of a compute unit',
    );
  }
  if (microLamports > MICRO_LAMPORTS_MAX) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high',
      `The price of a compute unit is ${microLamports} microlamports, but at most ${MICRO_LAMPORTS_MAX} is accepted`,
    );
  }
  const lamports = (units * microLamports) / 1_000_000n;
  if (lamports > PRIORITY_LAMPORTS_MAX) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high',
      `The priority fee is ${lamports} lamports, but at most ${PRIORITY_LAMPORTS_MAX} are accepted: lower the price or the limit of compute units`,
    );
  }
}

function budgetOf(call: Call | undefined, tag: number, byteCount: number): bigint | null {
  if (call?.program !== COMPUTE_BUDGET_PROGRAM || call.data.length !== byteCount) return null;
  const request = readBudgetRequest(call.data);
  return request?.tag === tag ? request.value : null;
}

/**
 * Checks that a key other than the fee payer's signs, and that its signature is valid. Returns its address.
 *
 * @throws {PaymentRefusal}
 */
export function requirePayerSignature(transaction: Transaction): Address {
  const [, payer] = readSignatures(transaction);
  if (payer?.signature === 'valid') return payer.address;
  throw new PaymentRefusal(
    'invalid_exact_svm_payload_signature_invalid',
    payer === undefined
      ? 'Only the fee payer signs: the owner of the tokens must sign too'
      : `The signature of ${payer.address} is ${payer.signature}: sign the transaction as it is sent`,
  );
}
