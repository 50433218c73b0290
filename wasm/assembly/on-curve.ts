import { LAST, LIMB, NUMBER, readNumber, reduce, square } from './field25519';
import { jacobi } from './jacobi';

/**
 * 121666 + 2^18 p, which keeps the sum below non-negative: its negative part is 243331 times a number of
 * slightly above 2^255 at most. In limbs, p is -19 in the lowest and 2^23 in the last.
 */
const OFFSET_LOW: i64 = 121_666 - (19 << 18);
const OFFSET_LAST: i64 = 1 << (23 + 18);

const z = memory.data(NUMBER);
const w = memory.data(NUMBER);

/**
 * Whether 32 bytes are the compressed form of a point of edwards25519, by the rules of the network
 * (curve25519-dalek `CompressedEdwardsY::decompress`): the sign bit is ignored, y is taken modulo p, and both
 * signs of x = 0 are accepted. Returns 1 for yes, -1 for no, 0 if undecided.
 *
 * x^2 = (y^2 - 1) / (d y^2 + 1) has a root iff the product of numerator and denominator is zero or a square.
 * With d = -121665/121666 and z = y^2 that product is, up to squares, w = 121665 z^2 - 243331 z + 121666,
 * because -1 and 121666 are squares modulo p. One Jacobi symbol decides this without an exponentiation.
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
