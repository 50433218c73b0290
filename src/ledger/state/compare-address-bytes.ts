import type { Address } from '../../solana/address.ts';

/**
 * Compares the bytes of two addresses without decoding them: 32 bytes are one large number, and the digits of
 * base58 are in ASCII order. Leading `1` digits are zero bytes and have no value.
 */
export function compareAddressBytes(a: Address, b: Address): number {
  const left = a.replace(/^1+/, '');
  const right = b.replace(/^1+/, '');
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
