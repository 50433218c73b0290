import { jacobi25519 } from './jacobi.ts';

const P = (1n << 255n) - 19n;
const SIGN_BIT = 1n << 255n;

/**
 * Whether 32 bytes are the compressed form of a point of edwards25519, judged as the network does (curve25519-dalek
 * `CompressedEdwardsY::decompress`): the sign bit is ignored, y is taken modulo p, and x = 0 counts with either sign.
 *
 * x^2 = (y^2 - 1) / (d y^2 + 1) has a root iff the product of numerator and denominator is zero or a square. With
 * d = -121665/121666 and z = y^2 that product is, up to squares, 121665 z^2 - 243331 z + 121666, because -1 and 121666
 * are squares modulo p. One Jacobi symbol decides; nothing is exponentiated.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  const y = littleEndian(bytes) % SIGN_BIT;
  const z = (y * y) % P;
  const w = ((121665n * z - 243331n) * z + 121666n) % P;
  return jacobi25519(w < 0n ? w + P : w) >= 0;
}

function littleEndian(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 32);
  const low = view.getBigUint64(0, true) | (view.getBigUint64(8, true) << 64n);
  const high = view.getBigUint64(16, true) | (view.getBigUint64(24, true) << 64n);
  return low | (high << 128n);
}
