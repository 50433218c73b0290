import type { Call } from '../payments/explain/call.ts';
import { readTransactionText } from '../payments/fields/transaction-field.ts';
import { isServiceError } from '../errors/service-error.ts';
import { LIGHTHOUSE_PROGRAM, MEMO_PROGRAM } from '../programs/addresses.ts';
import { deriveAta } from '../programs/associated-token.ts';
import { matchInstruction } from '../programs/instruction-table/instruction-spec.ts';
import { isTokenProgram } from '../programs/token/state.ts';
import { SPL_TOKEN, TOKEN_TABLE } from '../programs/token/table.ts';
import { type Address, isAddress } from '../solana/address.ts';
import type { Transaction } from '../solana/transaction.ts';
import { requireBoundedFee, requireIsolated, requirePayerSignature } from './fee-payer-rules.ts';
import { PaymentRefusal } from './refusal.ts';
import type { PaymentRequest } from './wire.ts';

/** The transfer of a payment, as its bytes show it. */
export interface ExactTransfer {
  readonly transaction: Transaction;
  readonly payer: Address;
  readonly payTo: Address;
  readonly mint: Address;
  /** Base units; at least the required amount. */
  readonly amount: bigint;
}

/** Positions of the two compute budget instructions and of the transfer, and the number of all together. */
const TRANSFER_AT = 2;
const CALLS_MIN = 3;
const CALLS_MAX = 7;

const ORDINALS = ['fourth', 'fifth', 'sixth', 'seventh'] as const;

/**
 * Decodes the transaction of a payment.
 *
 * @throws {PaymentRefusal}
 */
export function decodePayment({ transaction }: PaymentRequest): Transaction {
  if (transaction === null) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_transaction',
      'paymentPayload.payload.transaction must be a base64 text',
    );
  }
  try {
    return readTransactionText(transaction);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_transaction_could_not_be_decoded',
      'paymentPayload.payload.transaction is not a Solana transaction',
    );
  }
}

/**
 * Applies the rules for standard wallets of the scheme `exact` on Solana (scheme_exact_svm, 1 to 3.1) to the
 * bytes of a payment: limit, price, `TransferChecked`, and up to four instructions of Lighthouse and Memo.
 *
 * @param feePayer the address of the facilitator.
 * @throws {PaymentRefusal}
 */
export function applyExactRules(
  transaction: Transaction,
  request: PaymentRequest,
  feePayer: Address,
): ExactTransfer {
  const calls = requireIsolated(transaction, feePayer);
  if (calls.length < CALLS_MIN || calls.length > CALLS_MAX) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_transaction_instructions_length',
      `The transaction has ${calls.length} instructions, but must have ${CALLS_MIN} to ${CALLS_MAX}`,
    );
  }
  requireBoundedFee(calls);
  const transfer = readTransfer(calls[TRANSFER_AT] as Call, request);
  requireKnown(calls.slice(CALLS_MIN));
  requireMemo(calls, request.memo);
  const signer = requirePayerSignature(transaction);
  if (signer !== transfer.payer) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_signature_invalid',
      `The authority of the transfer, ${transfer.payer}, does not sign the transaction`,
    );
  }
  return { ...transfer, transaction };
}

/** Returns the authority of the transfer before any rule is checked; null if there is none. */
export function findPayer(calls: readonly Call[]): Address | null {
  const call = calls[TRANSFER_AT];
  return (call && matchTransfer(call)?.payer) ?? null;
}

/**
 * Matches `TransferChecked` with a single authority. Further accounts would be cosigners of a multisig, or
 * accounts of a transfer hook, which calls another program.
 */
function matchTransfer(call: Call) {
  const matched = isTokenProgram(call.program)
    ? matchInstruction(SPL_TOKEN, [TOKEN_TABLE.transferChecked], call)
    : null;
  const [, mint, destination, authority] = call.accounts.map(({ address }) => address);
  if (matched === null || call.accounts.length !== 4 || !mint || !destination || !authority) return null;
  const amount = matched.fields.get('amount') as bigint;
  return { tokenProgram: call.program, mint, destination, payer: authority, amount };
}

function readTransfer(
  call: Call,
  { asset, payTo, amount: required }: PaymentRequest,
): Omit<ExactTransfer, 'transaction'> {
  const transfer = matchTransfer(call);
  if (transfer === null) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_no_transfer_instruction',
      'The third instruction must be TransferChecked of a token program, with one authority',
    );
  }
  const { tokenProgram, mint, destination, payer, amount } = transfer;
  if (mint !== asset) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_mint_mismatch',
      `The transfer moves tokens of mint ${mint}, but the requirement names ${asset}`,
    );
  }
  if (!isAddress(payTo) || deriveAta(payTo, mint, tokenProgram).address !== destination) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_recipient_mismatch',
      `The transfer does not pay the associated token account of ${payTo}`,
    );
  }
  if (amount < required) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_amount_mismatch',
      `The transfer moves ${amount} base units, but ${required} are required`,
    );
  }
  return { payer, payTo, mint, amount };
}

/** Checks the instructions after the transfer. Any other program could move more than the transfer does. */
function requireKnown(others: readonly Call[]): void {
  for (const [index, { program }] of others.entries()) {
    if (program === LIGHTHOUSE_PROGRAM || program === MEMO_PROGRAM) continue;
    const ordinal = ORDINALS[index] as (typeof ORDINALS)[number];
    throw new PaymentRefusal(
      `invalid_exact_svm_payload_unknown_${ordinal}_instruction`,
      `The ${ordinal} instruction calls ${program}: only Lighthouse and Memo may follow the transfer`,
    );
  }
}

function requireMemo(calls: readonly Call[], memo: string | null): void {
  if (memo === null) return;
  const memos = calls.filter(({ program }) => program === MEMO_PROGRAM);
  if (memos.length !== 1) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_memo_count',
      `The transaction has ${memos.length} memos, but extra.memo requires exactly one`,
    );
  }
  if (!Buffer.from(memo).equals(memos[0]?.data ?? new Uint8Array())) {
    throw new PaymentRefusal(
      'invalid_exact_svm_payload_memo_mismatch',
      'The memo of the transaction differs from extra.memo',
    );
  }
}
