import { TracelessError } from '../errors/service-error.ts';

/**
 * Reasons for refusing a payment, in the words of x402: its core codes, and the scheme `exact` on Solana
 * (`@x402/svm` 2.27.0). Smart wallets are not supported, so their reasons are not used: a transaction of one
 * has an unknown instruction or no transfer.
 */
type InvalidReason =
  | 'invalid_network'
  | 'invalid_payment_requirements'
  | 'invalid_transaction_state'
  | `invalid_exact_svm_${
      | 'unsupported_scheme'
      | 'network_mismatch'
      | 'fee_payer_not_managed_by_facilitator'
      | 'fee_payer_mismatch'
      | 'transaction_simulation_failed'
      | 'verification_failed'}`
  | `invalid_exact_svm_payload_${
      | 'missing_fee_payer'
      | 'transaction'
      | 'transaction_could_not_be_decoded'
      | 'signature_invalid'
      | 'excessive_signers'
      | 'no_transfer_instruction'
      | 'transaction_fee_payer_transferring_funds'
      | 'mint_mismatch'
      | 'recipient_mismatch'
      | 'amount_mismatch'
      | 'memo_count'
      | 'memo_mismatch'
      | `unknown_${'fourth' | 'fifth' | 'sixth' | 'seventh'}_instruction`
      | `transaction_instructions_${
          | 'length'
          | `compute_${'limit' | 'price'}_instruction${'' | '_too_high'}`}`}`;

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
