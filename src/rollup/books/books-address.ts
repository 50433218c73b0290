import { createHash } from 'node:crypto';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';

/**
 * The address of the header of the books, and the owner of every item in them. Nobody has a key for it, no
 * transaction may name what it owns, and `Guards` hides that from every reader.
 */
export const ROLLUP_BOOKS = 'Ro11upBooks11111111111111111111111111111111' as Address;

/** How the address of every item begins: 64 bits that no key is found to begin with. */
const PREFIX = 'Ro11upBooks';

/**
 * Characters of the digest in an address, 187 bits: with the prefix in front they are the text of 32 bytes.
 */
const DIGEST_CHARACTERS = ROLLUP_BOOKS.length - PREFIX.length;

/** Whether an address is one of the books'. */
export function isOfBooks(address: Address): boolean {
  return address.startsWith(PREFIX);
}

/** The address of an item, out of its kind and what tells it from the others of that kind. */
export function itemAddress(kind: number, key: Uint8Array): Address {
  const digest = createHash('sha256').update(Uint8Array.of(kind)).update(key).digest();
  return `${PREFIX}${encodeBase58(digest).slice(-DIGEST_CHARACTERS)}` as Address;
}
