import { LIMB, LIMB_BITS, LIMBS } from './field25519.ts';

/**
 * The Jacobi symbol of a residue modulo p = 2^255 - 19, by binary GCD on 24-bit limbs.
 *
 * A round runs 24 halvings on approximations only: the exact low 24 bits of both numbers tell parity and the sign rules
 * of the symbol, their leading 53 bits as doubles tell which one is larger. The round's 2x2 matrix is then applied to
 * the whole numbers. An approximation may pick the wrong one as larger; the difference is then negative and is negated,
 * which the symbol accounts for, so the result is exact whatever the guesses were (compare B. Moeller's
 * "bounded-precision binary GCD" as used by libsecp256k1's `jacobi64`).
 */

/** Rounds after which the numbers must have met; random inputs need 13 to 17. */
const ROUNDS_MAX = 64;

/** p = 2^255 - 19. */
const P_LIMBS = new Float64Array(LIMBS).fill(LIMB - 1);
P_LIMBS[0] = LIMB - 19;
P_LIMBS[LIMBS - 1] = 2 ** 15 - 1;

/** 2^-n for the halvings of one round. */
const HALVED = Float64Array.from({ length: LIMB_BITS + 1 }, (_, n) => 2 ** -n);

const a = new Float64Array(LIMBS);
const b = new Float64Array(LIMBS);

/** (w | p): 1 for a non-zero square modulo p, -1 for a non-square, 0 for a multiple of p. `w` is in normal limbs. */
export function jacobi25519(w: Float64Array): -1 | 0 | 1 {
  a.set(w);
  b.set(P_LIMBS);
  let top = LIMBS - 1;
  let flips = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    while (top > 1 && a[top] === 0 && b[top] === 0) top--;
    // Once a is 0, b is the greatest common divisor: 1, or p when w was a multiple of it.
    if (top === 1 && a[1] === 0 && a[0] === 0) return (flips & 1) === 0 ? 1 : -1;
    if (a[top] === 0 && a.every((limb) => limb === 0)) return 0;
    flips ^= reduceRound(top);
  }
  throw new Error('the Jacobi symbol did not come to an end');
}

/** One round of 24 halvings on `a` and `b`, whose highest used limb is `top`. The low bit returned flips the symbol. */
function reduceRound(top: number): number {
  let aLow = low32(a);
  let bLow = low32(b);
  let aHigh = leading(a, top);
  let bHigh = leading(b, top);
  // a_new = (ua * a + va * b) / 2^24 and b_new = (ub * a + vb * b) / 2^24.
  let ua = 1;
  let va = 0;
  let ub = 0;
  let vb = 1;
  let flips = 0;
  let halvings = LIMB_BITS;
  for (;;) {
    // The bit above the ones still to be halved stops the count of trailing zeros.
    const lowest = aLow | (1 << halvings);
    const zeros = 31 - Math.clz32(lowest & -lowest);
    aLow >>= zeros;
    aHigh *= HALVED[zeros] as number;
    // Instead of halving the row of a, the row of b is doubled. (2|b) = -1 when b is 3 or 5 modulo 8.
    ub <<= zeros;
    vb <<= zeros;
    flips ^= zeros & ((bLow >> 1) ^ (bLow >> 2));
    halvings -= zeros;
    if (halvings === 0) break;
    if (aHigh < bHigh) {
      // (a|b) = (b|a), negated when both are 3 modulo 4.
      flips ^= (aLow & bLow) >> 1;
      const low = aLow;
      const high = aHigh;
      const u = ua;
      const v = va;
      aLow = bLow;
      aHigh = bHigh;
      ua = ub;
      va = vb;
      bLow = low;
      bHigh = high;
      ub = u;
      vb = v;
    }
    aLow = (aLow - bLow) | 0;
    aHigh -= bHigh;
    ua -= ub;
    va -= vb;
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
    const aSum = aCarry + ua * aLimb + va * bLimb;
    const bSum = bCarry + ub * aLimb + vb * bLimb;
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

function low32(limbs: Float64Array): number {
  return ((limbs[0] as number) + ((limbs[1] as number) & 0xff) * LIMB) | 0;
}

/** The three limbs ending at `top`, as one double: enough to compare, not exact. */
function leading(limbs: Float64Array, top: number): number {
  const low = top >= 2 ? (limbs[top - 2] as number) : 0;
  return ((limbs[top] as number) * LIMB + (limbs[top - 1] as number)) * LIMB + low;
}
