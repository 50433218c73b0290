import type { Address } from '../../solana/address.ts';

/**
 * Who pays for gasless transfers: an address whose key the operator has given to the service. The key itself stays with
 * whoever makes this object; nothing here can sign anything else.
 */
export interface Sponsor {
  readonly address: Address;
  /** The 64 bytes of the sponsor's ed25519 signature over the bytes of a transaction's message. */
  cosign(message: Uint8Array): Uint8Array;
}
