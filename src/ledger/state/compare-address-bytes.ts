import type { Address } from '../../solana/address.ts';

/**
 * The order of the bytes of two addresses, without decoding them: 32 bytes are one large number, and base58
 * writes numbers with digits in ASCII order. Leading `1` digits stand for zero bytes and count for nothing.
 */
export function compareAddressBytes(a: Address, b: Address): number {
  const left = a.replace(/^1+/, '');
  const right = b.replace(/^1+/, '');
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
