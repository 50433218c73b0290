/** A payment whose transaction the facilitator may sign. */
export interface VerifiedPayment {
  /** SHA-256 of the transaction's message, base64url. */
  readonly id: string;
  /** The id that the payer chose (extension `payment-identifier`); null without one. */
  readonly identifier: string | null;
  /** Name of the cluster. */
  readonly cluster: string;
  readonly ledger: 'base' | 'rollup';
  /** The network as the resource server names it. */
  readonly network: string;
  /** The transaction as the payer signed it, with an empty slot for the facilitator. */
  readonly wire: Uint8Array;
  readonly lastValidBlockHeight: number;
  readonly payer: string;
  readonly payTo: string;
  readonly mint: string;
  /** Base units. */
  readonly amount: bigint;
  /** Maximum cost for the facilitator, in lamports. */
  readonly lamportsMax: bigint;
}

/** The answer to a payment, as x402 reports it. */
export type PaymentVerdict =
  | { readonly isValid: true; readonly payment: VerifiedPayment }
  | {
      readonly isValid: false;
      readonly invalidReason: string;
      readonly invalidMessage: string;
      readonly payer: string | null;
    };
