import type { Address } from '../../solana/address.ts';

/**
 * The payer of gasless transfers, whose key the operator has given to the service. The key stays with the
 * creator of this object, and no other key can be used through it.
 */
export interface Sponsor {
  readonly address: Address;
  /** Signs the bytes of a transaction's message with the sponsor's ed25519 key; 64 bytes. */
  cosign(message: Uint8Array): Uint8Array;
}
