import type { Address } from '../../solana/address.ts';

/**
 * Compares the bytes of two addresses without decoding them. Base58 encodes the 32 bytes as one number, and
 * its digits are in ASCII order. Leading `1` digits are zero bytes.
 */
export function compareAddressBytes(a: Address, b: Address): number {
  const left = a.replace(/^1+/, '');
  const right = b.replace(/^1+/, '');
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
