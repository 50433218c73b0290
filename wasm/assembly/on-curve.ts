import { LAST, LIMB, NUMBER, readNumber, reduce, square } from './field25519';
import { jacobi } from './jacobi';

/**
 * 121666 + 2^18 p, so that the sum below is never negative: its negative part is 243331 times a number that
 * is hardly above 2^255. In limbs p is -19 in the lowest and 2^23 in the last.
 */
const OFFSET_LOW: i64 = 121_666 - (19 << 18);
const OFFSET_LAST: i64 = 1 << (23 + 18);

const z = memory.data(NUMBER);
const w = memory.data(NUMBER);

/**
 * Whether 32 bytes are the compressed form of a point of edwards25519, judged as the network does
 * (curve25519-dalek `CompressedEdwardsY::decompress`): the sign bit is ignored, y is taken modulo p, and x =
 * 0 counts with either sign. 1 says that they are, -1 that they are not, 0 that it was not found out.
 *
 * x^2 = (y^2 - 1) / (d y^2 + 1) has a root iff the product of numerator and denominator is zero or a square.
 * With d = -121665/121666 and z = y^2 that product is, up to squares, w = 121665 z^2 - 243331 z + 121666,
 * because -1 and 121666 are squares modulo p. One Jacobi symbol decides; nothing is exponentiated.
 */
export function judgeCurve(bytes: usize): i32 {
  readNumber(bytes, z);
  square(z, z);
  square(z, w);
  for (let at: usize = 0; at <= LAST; at += LIMB) {
    store<i64>(w + at, 121_665 * load<i64>(w + at) - 243_331 * load<i64>(z + at));
  }
  store<i64>(w, load<i64>(w) + OFFSET_LOW);
  store<i64>(w, load<i64>(w, LAST) + OFFSET_LAST, LAST);
  reduce(w);
  return jacobi(w);
}
