import { isPoint, point } from './derivation.ts';

/**
 * Whether 32 bytes are the compressed form of a point of edwards25519, judged as the network does (curve25519-dalek
 * `CompressedEdwardsY::decompress`): the sign bit is ignored, y is taken modulo p, and x = 0 counts with either sign.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  point.set(bytes);
  return isPoint();
}
