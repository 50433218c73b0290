import { ADDRESS_BYTES } from './address.ts';
import { isPoint, point } from './derivation.ts';

/**
 * Whether 32 bytes are the compressed form of a point of edwards25519, judged as the network does
 * (curve25519-dalek `CompressedEdwardsY::decompress`): the sign bit is ignored, y is taken modulo p, and x =
 * 0 counts with either sign.
 *
 * @throws {RangeError} for fewer or more bytes: fewer would be judged together with those of the point
 *   before.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  if (bytes.length !== ADDRESS_BYTES) throw new RangeError(`a point has ${ADDRESS_BYTES} bytes`);
  point.set(bytes);
  return isPoint();
}
