import { requireBoundedFee, requireIsolated, requirePayerSignature } from '../facilitator/fee-payer-rules.ts';
import type { VerifiedPayment } from '../facilitator/verified-payment.ts';
import { Keypair } from '../ledger/keypair.ts';
import { parseSponsorKey } from '../payments/fees/sponsor-key.ts';
import { type Address, addressBytes } from '../solana/address.ts';
import { encodeBase58 } from '../solana/base58.ts';
import { decodeTransaction, isSane, messageOf } from '../solana/transaction.ts';

/** The multicodec prefix of an Ed25519 public key, in a did:key. */
const ED25519_CODEC = [0xed, 0x01];

/** The key that pays the network fees for x402 payments, and signs the offers and receipts of paid tools. */
export interface FacilitatorKey {
  readonly address: Address;
  /**
   * Signs a payment as its fee payer. Checks the bytes again, regardless of who verified them.
   *
   * @returns the signed transaction and its signature, base58.
   * @throws {PaymentRefusal} if the key would pay more than the network fee.
   */
  cosign(payment: VerifiedPayment): { readonly wire: Uint8Array; readonly signature: string };
  /** Signs a text as a compact JWS (RFC 7515), with `EdDSA` and the did:key of the address. */
  readonly signJws: (payload: string) => string;
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
  const did = encodeBase58(Uint8Array.of(...ED25519_CODEC, ...addressBytes(address)));
  const header = toBase64Url(JSON.stringify({ alg: 'EdDSA', kid: `did:key:z${did}#z${did}` }));
  return {
    address,
    signJws(payload) {
      // The signed bytes cannot be a transaction message. They begin with "ey" (0x65, 0x79), the
      // base64url of `{"`. As a legacy message, they would have 101 signers, 121 of them read-only. No ledger
      // accepts that, and 101 signatures alone are larger than any transaction.
      const signed = `${header}.${toBase64Url(payload)}`;
      return `${signed}.${toBase64Url(keypair.sign(Buffer.from(signed)))}`;
    },
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

const toBase64Url = (content: string | Uint8Array): string => Buffer.from(content).toString('base64url');
