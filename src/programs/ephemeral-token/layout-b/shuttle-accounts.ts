import type { Address } from '../../../solana/address.ts';

/** The accounts of a shuttle, a one-way carrier of tokens: its metadata, its eATA and its ATA. */
export interface ShuttleAccounts {
  readonly metadata: Address;
  readonly eata: Address;
  readonly walletAta: Address;
}
