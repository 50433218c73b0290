/**
 * The Jacobi symbol of a residue modulo p = 2^255 - 19, by binary GCD on 24-bit limbs.
 *
 * A round runs 24 halvings on approximations only: the exact low 24 bits of both numbers tell parity and the sign rules
 * of the symbol, their leading 53 bits as doubles tell which one is larger. The round's 2x2 matrix is then applied to
 * the whole numbers. An approximation may pick the wrong one as larger; the difference is then negative and is negated,
 * which the symbol accounts for, so the result is exact whatever the guesses were (compare B. Moeller's
 * "bounded-precision binary GCD" as used by libsecp256k1's `jacobi64`).
 */

const LIMB_BITS = 24;
const LIMB = 2 ** LIMB_BITS;
const LIMBS = 11;

/** Rounds after which the numbers must have met; random inputs need 13 to 17. Only gcd > 1 gets there. */
const ROUNDS_MAX = 64;

const P_LIMBS = toLimbs((1n << 255n) - 19n, new Float64Array(LIMBS));

const a = new Float64Array(LIMBS);
const b = new Float64Array(LIMBS);

/** (w | p): 1 for a non-zero square, -1 for a non-square, 0 for 0. `w` is from 0 to p - 1. */
export function jacobi25519(w: bigint): -1 | 0 | 1 {
  if (w === 0n) return 0;
  toLimbs(w, a);
  b.set(P_LIMBS);
  let symbol = 0;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    let top = LIMBS - 1;
    while (top > 1 && a[top] === 0 && b[top] === 0) top--;
    if (top === 1 && a[1] === 0 && a[0] === 0) return isOne(b) ? (symbol === 0 ? 1 : -1) : 0;
    symbol ^= reduceRound(top);
  }
  return 0;
}

/** One round of 24 halvings on `a` and `b`, whose highest used limb is `top`. Returns the flip of the symbol (0 or 1). */
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
  let flip = 0;
  for (let halvings = 0; halvings < LIMB_BITS; halvings++) {
    if ((aLow & 1) !== 0) {
      if (aHigh < bHigh) {
        // (a|b) = (b|a), negated when both are 3 modulo 4.
        flip ^= (aLow & bLow) >> 1;
        const low = aLow;
        aLow = bLow;
        bLow = low;
        const high = aHigh;
        aHigh = bHigh;
        bHigh = high;
        const u = ua;
        ua = ub;
        ub = u;
        const v = va;
        va = vb;
        vb = v;
      }
      aLow = (aLow - bLow) | 0;
      aHigh -= bHigh;
      ua -= ub;
      va -= vb;
    }
    // (2|b) = -1 when b is 3 or 5 modulo 8. Instead of halving the row of a, the row of b is doubled.
    flip ^= (bLow >> 1) ^ (bLow >> 2);
    aLow >>= 1;
    aHigh *= 0.5;
    ub *= 2;
    vb *= 2;
  }
  combine(ua, va, ub, vb);
  negateIfNegative(b);
  // (-1|b) = -1 when b is 3 modulo 4.
  if (negateIfNegative(a)) flip ^= (b[0] as number) >> 1;
  return flip & 1;
}

/** Replaces `a` and `b` by the products with the round's matrix, divided by 2^24 (which is exact). */
function combine(ua: number, va: number, ub: number, vb: number): void {
  let aCarry = Math.floor((ua * (a[0] as number) + va * (b[0] as number)) / LIMB);
  let bCarry = Math.floor((ub * (a[0] as number) + vb * (b[0] as number)) / LIMB);
  for (let i = 1; i < LIMBS; i++) {
    const aLimb = a[i] as number;
    const bLimb = b[i] as number;
    const aSum = aCarry + ua * aLimb + va * bLimb;
    const bSum = bCarry + ub * aLimb + vb * bLimb;
    aCarry = Math.floor(aSum / LIMB);
    bCarry = Math.floor(bSum / LIMB);
    a[i - 1] = aSum - aCarry * LIMB;
    b[i - 1] = bSum - bCarry * LIMB;
  }
  // What is left of the carries is the sign: 0, or -1 when the whole number is negative.
  a[LIMBS - 1] = aCarry;
  b[LIMBS - 1] = bCarry;
}

/** Makes a number whose top limb carries its sign positive; says whether it was negative. */
function negateIfNegative(limbs: Float64Array): boolean {
  if ((limbs[LIMBS - 1] as number) >= 0) return false;
  let borrow = 0;
  for (let i = 0; i < LIMBS - 1; i++) {
    const value = -(limbs[i] as number) - borrow;
    borrow = value < 0 ? 1 : 0;
    limbs[i] = value + borrow * LIMB;
  }
  limbs[LIMBS - 1] = -(limbs[LIMBS - 1] as number) - borrow;
  return true;
}

function isOne(limbs: Float64Array): boolean {
  return limbs[0] === 1 && limbs.every((limb, i) => i === 0 || limb === 0);
}

function low32(limbs: Float64Array): number {
  return ((limbs[0] as number) + ((limbs[1] as number) & 0xff) * LIMB) | 0;
}

/** The three limbs ending at `top`, as one double: enough to compare, not exact. */
function leading(limbs: Float64Array, top: number): number {
  const low = top >= 2 ? (limbs[top - 2] as number) : 0;
  return ((limbs[top] as number) * LIMB + (limbs[top - 1] as number)) * LIMB + low;
}

function toLimbs(value: bigint, limbs: Float64Array): Float64Array {
  let rest = value;
  for (let i = 0; i < LIMBS; i += 2) {
    const pair = Number(rest & 0xffff_ffff_ffffn);
    limbs[i] = pair % LIMB;
    if (i + 1 < LIMBS) limbs[i + 1] = Math.floor(pair / LIMB);
    rest >>= 48n;
  }
  return limbs;
}
