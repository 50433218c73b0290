/**
 * Arithmetic modulo p = 2^255 - 19 on numbers of 11 limbs of 24 bits, the lowest first, held in doubles: a product of
 * two limbs takes 48 bits, so 11 of them add up exactly. Numbers are reduced only as far as the limbs need it, below
 * 2^264 plus a little, which is some multiple of p away from the least one.
 */

const LIMB_BITS = 24;
const LIMBS = 11;
const LIMB = 2 ** LIMB_BITS;

/**
 * The form of the limbs, for the modules that work on them: each takes it apart into constants of its own, because V8
 * compiles those into the code and reads imported ones anew every time.
 */
export const LIMB_FORM = { LIMB_BITS, LIMBS, LIMB } as const;

/** 2^264 modulo p: what a limb beyond the last is worth. */
const WRAP = 2 ** 9 * 19;

/** Limbs of the number in 32 little-endian bytes, without its highest bit. */
export function readLimbs(bytes: Uint8Array, limbs: Float64Array): void {
  for (let i = 0; i < LIMBS - 1; i++) {
    const at = i * 3;
    limbs[i] = (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
  }
  limbs[LIMBS - 1] = (bytes[30] as number) | (((bytes[31] as number) & 0x7f) << 8);
}

const product = new Float64Array(2 * LIMBS);

/** `result` = `value`^2. They may be the same array. */
export function square(value: Float64Array, result: Float64Array): void {
  let carry = 0;
  for (let column = 0; column < 2 * LIMBS - 1; column++) {
    let i = Math.max(0, column - LIMBS + 1);
    let j = column - i;
    let half = 0;
    for (; i < j; i++, j--) half += (value[i] as number) * (value[j] as number);
    const middle = i === j ? (value[i] as number) : 0;
    const sum = 2 * half + middle * middle + carry;
    carry = Math.floor(sum / LIMB);
    product[column] = sum - carry * LIMB;
  }
  product[2 * LIMBS - 1] = carry;
  for (let i = 0; i < LIMBS; i++) {
    result[i] = (product[i] as number) + WRAP * (product[i + LIMBS] as number);
  }
  normalize(result);
}

/**
 * Brings limbs of up to 2^52 in size, of either sign, back to 24 bits each. The number itself must not be negative.
 */
export function normalize(limbs: Float64Array): void {
  let carry = 0;
  do {
    for (let i = 0; i < LIMBS; i++) {
      const sum = (limbs[i] as number) + carry;
      carry = Math.floor(sum / LIMB);
      limbs[i] = sum - carry * LIMB;
    }
    carry *= WRAP;
  } while (carry !== 0);
}
