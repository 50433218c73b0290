import type { Address } from '../../solana/address.ts';

/** The accounts used to delegate: a buffer of the owning program, and two records. */
export interface DelegationAccounts {
  readonly buffer: Address;
  readonly record: Address;
  readonly metadata: Address;
}
