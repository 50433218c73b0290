import type { Address } from './address.ts';

/** An account as the chain stores it. Data must not be changed in place. */
export interface Account {
  readonly lamports: bigint;
  readonly owner: Address;
  readonly data: Uint8Array;
  readonly executable: boolean;
  readonly rentEpoch: bigint;
}

/** `rentEpoch` of every rent-exempt account (Agave `RENT_EXEMPT_RENT_EPOCH`, u64::MAX). */
export const RENT_EXEMPT_EPOCH = 0xffff_ffff_ffff_ffffn;
