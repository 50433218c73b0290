import { LAST, LIMB, LIMB_BITS, LIMB_MASK, NUMBER, writePrime, Limbs } from './field25519';

/**
 * The Jacobi symbol of a number modulo p = 2^255 - 19, by binary GCD (compare T. Pornin, "Optimized Binary GCD for
 * Modular Inversion", 2020, and libsecp256k1's `jacobi64`).
 *
 * A round makes 29 halvings on one word per number. The low 31 bits of a word are exact and decide its parity
 * and the symbol. The high 32 bits are the number's highest bits and show which number is larger. The round's
 * 2x2 matrix is then applied to the whole numbers. A number that a wrong guess made negative is negated.
 *
 * The result is exact even after wrong guesses. Reciprocity in the form used here fails only if both numbers
 * are negative. A word is off by less than one unit of its high part, so both words would have to be below
 * 2^31. A halving at most halves their sum, and after 28 halvings the sum is still above 2^33.
 */

/** Maximum number of rounds. Millions of random numbers needed at most 12. */
const ROUNDS_MAX: i32 = 48;

/** The exact bits of a word: one for each halving of a round, and two more for the symbol's rules. */
const EXACT_MASK: i64 = (1 << 31) - 1;

const b = memory.data(NUMBER);

/**
 * Returns (a | p) for a number of reduced limbs, which are overwritten. Returns 0 if it gives up, for example
 * for multiples of p, which need endless rounds.
 */
export function jacobi(a: Limbs): i32 {
  writePrime(b);
  let last: usize = LAST;
  let flips: i64 = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    while (last > LIMB && (load<i64>(a + last) | load<i64>(b + last)) == 0) last -= LIMB;
    if (last == LIMB) {
      flips ^= finish(lowTwo(a), lowTwo(b));
      return 1 - <i32>(flips & 2);
    }
    flips ^= reduceRound(a, last);
  }
  return 0;
}

/** Bit 1 of the result is set if (n | m) is -1. n and m have no common factor, and m is odd. */
function finish(n: i64, m: i64): i64 {
  let x = n;
  let y = m;
  let flips: i64 = 0;
  let zeros = ctz(x);
  while (x != 0) {
    x >>= zeros;
    flips ^= flipsOfHalvings(y, zeros);
    const difference = x - y;
    const less = difference >> 63;
    zeros = ctz(difference);
    flips ^= flipsOfSwap(x, y) & less;
    y += difference & less;
    x = (difference ^ less) - less;
  }
  return flips;
}

/**
 * Runs a round on `a` and `b`, whose highest used limb is `last`. Bit 1 of the result flips the symbol.
 *
 * No processor can predict which of two random numbers is larger, so masks swap them instead of branches. The
 * zeros of a difference are counted while its sign is still being computed.
 */
function reduceRound(a: Limbs, last: usize): i64 {
  let x = leading(a + last);
  let y = leading(b + last);
  const free = clz(x | y);
  x = (((x << free) >>> 1) & ~EXACT_MASK) | (lowTwo(a) & EXACT_MASK);
  y = (((y << free) >>> 1) & ~EXACT_MASK) | (lowTwo(b) & EXACT_MASK);
  // The matrix that makes x and y from a and b: low halves are factors of a, high halves factors of b.
  // Instead of halving the row of x, the row of y is doubled.
  let rowX: i64 = 1;
  let rowY: i64 = 1 << 32;
  let halvings = LIMB_BITS;
  let flips: i64 = 0;
  let zeros = ctz(x);
  while (zeros < halvings) {
    halvings -= zeros;
    x >>= zeros;
    rowY <<= zeros;
    flips ^= flipsOfHalvings(y, zeros);
    const difference = x - y;
    const less = difference >> 63;
    zeros = ctz(difference);
    flips ^= flipsOfSwap(x, y) & less;
    y += difference & less;
    x = (difference ^ less) - less;
    const row = rowX - rowY;
    rowY += row & less;
    rowX = (row ^ less) - less;
  }
  flips ^= flipsOfHalvings(y, halvings);
  combine(a, last, rowX, rowY << halvings);
  if (load<i64>(b + last) < 0) negate(b, last);
  if (load<i64>(a + last) < 0) {
    negate(a, last);
    // (-1 | b) = -1 if b is 3 modulo 4.
    flips ^= load<i64>(b);
  }
  return flips;
}

/** (2 | y) = -1 if y is 3 or 5 modulo 8: its bits 1 and 2 differ. */
function flipsOfHalvings(y: i64, count: i64): i64 {
  return (count << 1) & (y ^ (y >> 1));
}

/** (x | y) = (y | x), negated if both are 3 modulo 4. */
function flipsOfSwap(x: i64, y: i64): i64 {
  return x & y;
}

/** Replaces `a` and `b` with their products with the round's matrix, divided exactly by 2^29. */
function combine(a: Limbs, last: usize, rowX: i64, rowY: i64): void {
  const ax: i64 = <i32>rowX;
  const ay: i64 = <i32>rowY;
  const bx = (rowX - ax) >> 32;
  const by = (rowY - ay) >> 32;
  let x = (ax * load<i64>(a) + bx * load<i64>(b)) >> LIMB_BITS;
  let y = (ay * load<i64>(a) + by * load<i64>(b)) >> LIMB_BITS;
  for (let at: usize = 0; at < last; at += LIMB) {
    const aLimb = load<i64>(a + at, LIMB);
    const bLimb = load<i64>(b + at, LIMB);
    x += ax * aLimb + bx * bLimb;
    y += ay * aLimb + by * bLimb;
    store<i64>(a + at, x & LIMB_MASK);
    store<i64>(b + at, y & LIMB_MASK);
    x >>= LIMB_BITS;
    y >>= LIMB_BITS;
  }
  // The carry is the last limb. If it is negative, so is the whole number.
  store<i64>(a + last, x);
  store<i64>(b + last, y);
}

function negate(number: Limbs, last: usize): void {
  let carry: i64 = 0;
  for (let at: usize = 0; at < last; at += LIMB) {
    carry -= load<i64>(number + at);
    store<i64>(number + at, carry & LIMB_MASK);
    carry >>= LIMB_BITS;
  }
  store<i64>(number + last, carry - load<i64>(number + last));
}

/** Returns the number modulo 2^58. */
function lowTwo(number: Limbs): i64 {
  return load<i64>(number) | (load<i64>(number, LIMB) << LIMB_BITS);
}

/** Returns the 64 bits that end with the limb at this address. */
function leading(limb: usize): i64 {
  return (load<i64>(limb) << 35) | (load<i64>(limb - LIMB) << 6) | (load<i64>(limb - 2 * LIMB) >> 23);
}
