import { TracelessError } from '../errors/service-error.ts';

/**
 * Reasons for refusing a payment, in the words of x402: its core codes, and the scheme `exact` on Solana
 * (`@x402/svm` 2.27.0). The reasons for smart wallets are missing, because their transactions are not
 * supported: they have an unknown instruction or no transfer.
 */
export const INVALID_REASONS = [
  'invalid_network',
  'invalid_payment_requirements',
  'invalid_transaction_state',
  'invalid_exact_svm_unsupported_scheme',
  'invalid_exact_svm_network_mismatch',
  'invalid_exact_svm_fee_payer_not_managed_by_facilitator',
  'invalid_exact_svm_fee_payer_mismatch',
  'invalid_exact_svm_transaction_simulation_failed',
  'invalid_exact_svm_verification_failed',
  'invalid_exact_svm_payload_missing_fee_payer',
  'invalid_exact_svm_payload_transaction',
  'invalid_exact_svm_payload_transaction_could_not_be_decoded',
  'invalid_exact_svm_payload_signature_invalid',
  'invalid_exact_svm_payload_excessive_signers',
  'invalid_exact_svm_payload_transaction_instructions_length',
  'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction',
  'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high',
  'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction',
  'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high',
  'invalid_exact_svm_payload_unknown_fourth_instruction',
  'invalid_exact_svm_payload_unknown_fifth_instruction',
  'invalid_exact_svm_payload_unknown_sixth_instruction',
  'invalid_exact_svm_payload_unknown_seventh_instruction',
  'invalid_exact_svm_payload_no_transfer_instruction',
  'invalid_exact_svm_payload_transaction_fee_payer_transferring_funds',
  'invalid_exact_svm_payload_mint_mismatch',
  'invalid_exact_svm_payload_recipient_mismatch',
  'invalid_exact_svm_payload_amount_mismatch',
  'invalid_exact_svm_payload_memo_mismatch',
  'invalid_exact_svm_payload_memo_count',
] as const;

type InvalidReason = (typeof INVALID_REASONS)[number];

/** A payment that the facilitator refuses. The message says why and what to do. */
export class PaymentRefusal extends TracelessError {
  override readonly name = 'PaymentRefusal';
  readonly reason: InvalidReason;

  constructor(reason: InvalidReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A request that is not an x402 request. */
export class InvalidRequest extends TracelessError {
  override readonly name = 'InvalidRequest';
  readonly reason: 'invalid_payload' | 'invalid_x402_version';

  constructor(reason: InvalidRequest['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
