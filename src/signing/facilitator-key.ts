import { requireBoundedFee, requireIsolated, requirePayerSignature } from '../facilitator/fee-payer-rules.ts';
import type { VerifiedPayment } from '../facilitator/verified-payment.ts';
import { Keypair } from '../ledger/keypair.ts';
import { parseSponsorKey } from '../payments/fees/sponsor-key.ts';
import type { Address } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import { decodeTransaction, isSane, messageOf } from '../solana/transaction.ts';

/** The key that pays the network fees of x402 payments. */
export interface FacilitatorKey {
  readonly address: Address;
  /**
   * Signs a payment as its fee payer. Checks the bytes again, regardless of who verified them.
   *
   * @returns the signed transaction and its signature, base58.
   * @throws {PaymentRefusal} if the key would pay more than the network fee.
   */
  cosign(payment: VerifiedPayment): { readonly wire: Uint8Array; readonly signature: string };
}

/**
 * Creates the key of the facilitator.
 *
 * @param variable name of the setting, for errors.
 * @throws {ServiceError} CONFIG_INVALID if `text` is not a secret key; the message does not contain it.
 */
export function createFacilitatorKey(text: string, variable: string): FacilitatorKey {
  const keypair = new Keypair(parseSponsorKey(text, variable).seed);
  const { address } = keypair;
  return {
    address,
    cosign(payment) {
      // A copy, so that the signed bytes are those that were checked.
      const wire = Uint8Array.from(payment.wire);
      const transaction = decodeTransaction(wire);
      if (!isSane(transaction) || transaction.wire.length !== wire.length) {
        throw new Error('the bytes of a verified payment are not a transaction');
      }
      requireBoundedFee(requireIsolated(transaction, address));
      requirePayerSignature(transaction);
      const signature = keypair.sign(messageOf(transaction));
      wire.set(signature, transaction.signaturesAt);
      return { wire, signature: encodeBase58(signature) };
    },
  };
}
