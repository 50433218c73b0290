/**
 * Arithmetic modulo p = 2^255 - 19 on numbers of 11 limbs of 24 bits, the lowest first, held in doubles: a product of
 * two limbs takes 48 bits, so 11 of them add up exactly. Numbers are reduced only as far as the limbs need it, below
 * 2^264 plus a little, which is some multiple of p away from the least one.
 */

export const LIMB_BITS = 24;
export const LIMBS = 11;
export const LIMB = 2 ** LIMB_BITS;

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
  product.fill(0);
  for (let i = 0; i < LIMBS; i++) {
    const limb = value[i] as number;
    (product[2 * i] as number) += limb * limb;
    for (let j = i + 1; j < LIMBS; j++) (product[i + j] as number) += 2 * limb * (value[j] as number);
  }
  let carry = 0;
  for (let i = 0; i < 2 * LIMBS; i++) {
    const sum = (product[i] as number) + carry;
    carry = Math.floor(sum / LIMB);
    product[i] = sum - carry * LIMB;
  }
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
