import type { Address } from '../../solana/address.ts';
import type { SponsoredTransaction } from './sponsored-fate.ts';

/**
 * The payer of gasless transfers, whose key the operator has given to the service. The key stays with the
 * creator of this object, and no other key can be used through it.
 */
export interface Sponsor {
  readonly address: Address;
  /** The mints that it accepts its fee in on a custom network; none when left out. */
  readonly customMints?: readonly Address[];
  /**
   * Signs the bytes of a transaction's message with the sponsor's ed25519 key; 64 bytes.
   *
   * @param transaction what it can cost the sponsor, and where and until when.
   * @throws {ServiceError} SPONSOR_UNAVAILABLE if the sponsor has spent what it may.
   */
  cosign(message: Uint8Array, transaction: Omit<SponsoredTransaction, 'signature'>): Uint8Array;
}
