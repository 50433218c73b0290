import { LIMB_FORM } from './field25519.ts';

const { LIMB, LIMB_BITS, LIMBS } = LIMB_FORM;

/**
 * The Jacobi symbol of a residue modulo p = 2^255 - 19, by binary GCD on 24-bit limbs.
 *
 * A round runs 24 halvings on approximations only: the exact low bits of both numbers tell parity and the sign rules
 * of the symbol, their leading 30 bits tell which one is larger. The round's 2x2 matrix is then applied to the whole
 * numbers. An approximation may pick the wrong one as larger; the difference is then negative and is negated, which the
 * symbol accounts for, so the result is exact whatever the guesses were (compare T. Pornin, "Optimized Binary GCD for
 * Modular Inversion", 2020, and libsecp256k1's `jacobi64`).
 *
 * Which of two random numbers is larger no processor can predict, so the inner loops choose by masks, not by branches.
 */

/** Rounds after which the numbers must have met; random inputs need 12 to 15. */
const ROUNDS_MAX = 64;

/** p = 2^255 - 19. */
const P_LIMBS = new Float64Array(LIMBS).fill(LIMB - 1);
P_LIMBS[0] = LIMB - 19;
P_LIMBS[LIMBS - 1] = 2 ** 15 - 1;

/** What brings three limbs, whose highest has so many leading zeros of 32, to 30 bits. */
const TO_30_BITS = Float64Array.from({ length: 33 }, (_, zeros) => 2 ** (zeros - 2 - 2 * LIMB_BITS));

/** The top limb of two numbers that end below 2^31. */
const SMALL_TOP_LIMB = 2 ** (31 - LIMB_BITS);

const a = new Float64Array(LIMBS);
const b = new Float64Array(LIMBS);

/** (w | p): 1 for a non-zero square modulo p, -1 for a non-square, 0 for a multiple of p. `w` is in normal limbs. */
export function jacobi25519(w: Float64Array): -1 | 0 | 1 {
  for (let i = 0; i < LIMBS; i++) {
    a[i] = w[i] as number;
    b[i] = P_LIMBS[i] as number;
  }
  let top = LIMBS - 1;
  let flips = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    while (top > 1 && a[top] === 0 && b[top] === 0) top--;
    // The numbers have no common factor, or a would have become zero while b was still p.
    if (top === 1 && (a[1] as number) < SMALL_TOP_LIMB && (b[1] as number) < SMALL_TOP_LIMB) {
      flips ^= jacobiSmall(low32(a), low32(b));
      return (flips & 1) === 0 ? 1 : -1;
    }
    if (a[top] === 0 && isZero(a)) return 0;
    flips ^= reduceRound(top);
  }
  throw new Error('the Jacobi symbol did not come to an end');
}

/** The symbol (n | m) of two coprime numbers below 2^31, of which m is odd. The low bit returned says that it is -1. */
function jacobiSmall(n: number, m: number): number {
  let upper = n;
  let lower = m;
  let flips = 0;
  while (upper !== 0) {
    const zeros = 31 - Math.clz32(upper & -upper);
    upper >>= zeros;
    // (2|m) = -1 when m is 3 or 5 modulo 8.
    flips ^= zeros & ((lower >> 1) ^ (lower >> 2));
    const difference = (upper - lower) | 0;
    const less = difference >> 31;
    // Where n is less they change places: (n|m) = (m|n), negated when both are 3 modulo 4.
    flips ^= less & ((upper & lower) >> 1);
    lower = (lower + (difference & less)) | 0;
    upper = ((difference ^ less) - less) | 0;
  }
  return flips;
}

/** One round of 24 halvings on `a` and `b`, whose highest used limb is `top`. The low bit returned flips the symbol. */
function reduceRound(top: number): number {
  const scale = TO_30_BITS[Math.clz32((a[top] as number) | (b[top] as number))] as number;
  let aHigh = (leading(a, top) * scale) | 0;
  let bHigh = (leading(b, top) * scale) | 0;
  let aLow = low32(a);
  let bLow = low32(b);
  // a_new = (ua * a + va * b) / 2^24 and b_new = (ub * a + vb * b) / 2^24.
  let ua = 1;
  let va = 0;
  let ub = 0;
  let vb = 1;
  let flips = 0;
  let halvings = LIMB_BITS;
  // The steps of jacobiSmall, on the two ends of the numbers and on the matrix.
  for (;;) {
    // The bit above the ones still to be halved stops the count of trailing zeros.
    const lowest = aLow | (1 << halvings);
    const zeros = 31 - Math.clz32(lowest & -lowest);
    aHigh >>= zeros;
    aLow >>= zeros;
    // Instead of halving the row of a, the row of b is doubled.
    ub <<= zeros;
    vb <<= zeros;
    flips ^= zeros & ((bLow >> 1) ^ (bLow >> 2));
    halvings -= zeros;
    if (halvings === 0) break;
    const high = (aHigh - bHigh) | 0;
    const low = (aLow - bLow) | 0;
    const u = (ua - ub) | 0;
    const v = (va - vb) | 0;
    const less = high >> 31;
    flips ^= less & ((aLow & bLow) >> 1);
    bHigh = (bHigh + (high & less)) | 0;
    aHigh = ((high ^ less) - less) | 0;
    bLow = (bLow + (low & less)) | 0;
    aLow = ((low ^ less) - less) | 0;
    ub = (ub + (u & less)) | 0;
    ua = ((u ^ less) - less) | 0;
    vb = (vb + (v & less)) | 0;
    va = ((v ^ less) - less) | 0;
  }
  combine(ua, va, ub, vb, top);
  negateIfNegative(b, top);
  // (-1|b) = -1 when b is 3 modulo 4.
  if (negateIfNegative(a, top)) flips ^= (b[0] as number) >> 1;
  return flips;
}

/** Replaces `a` and `b` by the products with the round's matrix, divided by 2^24 (which is exact). */
function combine(ua: number, va: number, ub: number, vb: number, top: number): void {
  let aCarry = Math.floor((ua * (a[0] as number) + va * (b[0] as number)) / LIMB);
  let bCarry = Math.floor((ub * (a[0] as number) + vb * (b[0] as number)) / LIMB);
  for (let i = 1; i <= top; i++) {
    const aLimb = a[i] as number;
    const bLimb = b[i] as number;
    const aSum = ua * aLimb + va * bLimb + aCarry;
    const bSum = ub * aLimb + vb * bLimb + bCarry;
    aCarry = Math.floor(aSum / LIMB);
    bCarry = Math.floor(bSum / LIMB);
    a[i - 1] = aSum - aCarry * LIMB;
    b[i - 1] = bSum - bCarry * LIMB;
  }
  // What is left is the top limb; below zero it makes the whole number negative.
  a[top] = aCarry;
  b[top] = bCarry;
}

/** Makes a number whose top limb carries its sign positive; says whether it was negative. */
function negateIfNegative(limbs: Float64Array, top: number): boolean {
  if ((limbs[top] as number) >= 0) return false;
  let borrow = 0;
  for (let i = 0; i < top; i++) {
    const value = -(limbs[i] as number) - borrow;
    borrow = value < 0 ? 1 : 0;
    limbs[i] = value + borrow * LIMB;
  }
  limbs[top] = -(limbs[top] as number) - borrow;
  return true;
}

/** The number modulo 2^32, as a signed integer. */
function low32(limbs: Float64Array): number {
  return ((limbs[0] as number) + ((limbs[1] as number) & 0xff) * LIMB) | 0;
}

/** The three limbs ending at `top`, as one double: enough to compare, not exact. */
function leading(limbs: Float64Array, top: number): number {
  const low = top >= 2 ? (limbs[top - 2] as number) : 0;
  return ((limbs[top] as number) * LIMB + (limbs[top - 1] as number)) * LIMB + low;
}

function isZero(limbs: Float64Array): boolean {
  for (let i = 0; i < LIMBS; i++) if (limbs[i] !== 0) return false;
  return true;
}
