import { concat } from '../instruction-data.ts';
import { atEnd, u32, u64 } from '../instruction-table/field-codec.ts';
import { decodeFields, writeFields } from '../instruction-table/fields.ts';

/** When, and in how many parts, the validator pays out a queued transfer. */
export interface DeliveryTerms {
  /** Shortest and longest delay of a part, ms. */
  readonly minDelayMs: bigint;
  readonly maxDelayMs: bigint;
  /** The number of parts. */
  readonly split: number;
  /** The sender's own reference, u64. Null for none, which differs from 0. */
  readonly clientRefId: bigint | null;
}

/** The encoding of the terms in instructions and sealed boxes: 20 bytes, or 28 with a reference. */
export const DELIVERY_TERMS = {
  minDelayMs: u64,
  maxDelayMs: u64,
  split: u32,
  clientRefId: atEnd(u64),
} as const;

/** Encodes the terms. */
export const encodeDeliveryTerms = (terms: DeliveryTerms): Uint8Array =>
  concat(...writeFields(DELIVERY_TERMS, terms));

/** Decodes the terms; null unless there are 20 or 28 bytes. */
export const decodeDeliveryTerms = (bytes: Uint8Array): DeliveryTerms | null =>
  decodeFields(DELIVERY_TERMS, bytes);
