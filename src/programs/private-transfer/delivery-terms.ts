import { concat } from '../instruction-data.ts';
import { atEnd, u32, u64 } from '../instruction-table/field-codec.ts';
import { decodeFields, writeFields } from '../instruction-table/fields.ts';

/** When and in how many parts the validator pays a queued transfer out. */
export interface DeliveryTerms {
  /** How long a part waits at least and at most before it is paid, ms. */
  readonly minDelayMs: bigint;
  readonly maxDelayMs: bigint;
  /** Parts the amount is paid in. */
  readonly split: number;
  /** The sender's own reference, u64; null when none was given, which is not the same as 0. */
  readonly clientRefId: bigint | null;
}

/** The terms as instructions and sealed boxes carry them: 20 bytes, or 28 with a reference. */
export const DELIVERY_TERMS = {
  minDelayMs: u64,
  maxDelayMs: u64,
  split: u32,
  clientRefId: atEnd(u64),
} as const;

/** The terms in bytes. */
export const encodeDeliveryTerms = (terms: DeliveryTerms): Uint8Array =>
  concat(...writeFields(DELIVERY_TERMS, terms));

/** The terms in `bytes`, null when there are neither 20 nor 28 of them. */
export const decodeDeliveryTerms = (bytes: Uint8Array): DeliveryTerms | null =>
  decodeFields(DELIVERY_TERMS, bytes);
