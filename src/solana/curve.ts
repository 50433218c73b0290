import { LIMB_FORM, normalize, readLimbs, square } from './field25519.ts';
import { jacobi25519 } from './jacobi.ts';

const { LIMBS } = LIMB_FORM;

/**
 * 121666 + 2^28 p, so that the sum below is never negative: its negative part is 243331 times a number below 2^265.
 * p = 2^255 - 19 in limbs of 24 bits is -19 in the lowest and 2^15 in the highest.
 */
const OFFSET_LOW = 121_666 - 19 * 2 ** 28;
const OFFSET_HIGH = 2 ** (15 + 28);

const z = new Float64Array(LIMBS);
const w = new Float64Array(LIMBS);

/**
 * Whether 32 bytes are the compressed form of a point of edwards25519, judged as the network does (curve25519-dalek
 * `CompressedEdwardsY::decompress`): the sign bit is ignored, y is taken modulo p, and x = 0 counts with either sign.
 *
 * x^2 = (y^2 - 1) / (d y^2 + 1) has a root iff the product of numerator and denominator is zero or a square. With
 * d = -121665/121666 and z = y^2 that product is, up to squares, 121665 z^2 - 243331 z + 121666, because -1 and 121666
 * are squares modulo p. One Jacobi symbol decides; nothing is exponentiated.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  readLimbs(bytes, z);
  square(z, z);
  square(z, w);
  for (let i = 0; i < LIMBS; i++) w[i] = 121_665 * (w[i] as number) - 243_331 * (z[i] as number);
  (w[0] as number) += OFFSET_LOW;
  (w[LIMBS - 1] as number) += OFFSET_HIGH;
  normalize(w);
  return jacobi25519(w) >= 0;
}
