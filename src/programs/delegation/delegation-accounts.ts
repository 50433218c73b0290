import type { Address } from '../../solana/address.ts';

/** The accounts a delegation goes through: a buffer of the owning program, and two records. */
export interface DelegationAccounts {
  readonly buffer: Address;
  readonly record: Address;
  readonly metadata: Address;
}
