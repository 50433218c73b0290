import type { Address } from '../../solana/address.ts';
import type { SponsoredTransaction } from './sponsored-fate.ts';

/**
 * The payer of gasless transfers, with a key provided by the operator. The key stays with the creator of this
 * object, and no other key can be used through it.
 */
export interface Sponsor {
  readonly address: Address;
  /** The mints that it accepts its fee in on a custom network; none when left out. */
  readonly customMints?: readonly Address[];
  /**
   * Signs the bytes of a transaction's message with the sponsor's ed25519 key; 64 bytes.
   *
   * @param transaction its possible cost for the sponsor, and where and until when it can land.
   * @throws {ServiceError} SPONSOR_UNAVAILABLE if the sponsor has reached its spending limit.
   */
  cosign(message: Uint8Array, transaction: Omit<SponsoredTransaction, 'signature'>): Promise<Uint8Array>;
}
