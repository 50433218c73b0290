/**
 * Arithmetic modulo p = 2^255 - 19 (RFC 8032, 5.1) on numbers of nine 29-bit limbs, lowest first. Limbs are
 * stored in 64 bits, so nine products of two (58 bits each) can be added. Numbers are passed by address.
 */
export type Limbs = usize;

export const LIMB_BITS: i64 = 29;
export const LIMB_MASK: i64 = (1 << 29) - 1;

/** Distance from one limb to the next, and from the first to the last, bytes. */
export const LIMB: usize = 8;
export const LAST: usize = 8 * LIMB;

/** Size of a number, bytes. */
export const NUMBER: i32 = 9 * 8;

/** Bits of a 255-bit number in the last limb. */
const LAST_BITS: i64 = 23;
const LAST_MASK: i64 = (1 << 23) - 1;

/** 2^261 modulo p, the factor of a limb beyond the last. */
const WRAP: u64 = 19 << 6;

const product = memory.data(2 * NUMBER);

/** Reads 32 little-endian bytes without their highest bit. The number may be p or slightly more. */
export function readNumber(bytes: usize, to: Limbs): void {
  let bit: usize = 0;
  for (let at: usize = 0; at < LAST; at += LIMB) {
    store<i64>(to + at, (load<i64>(bytes + (bit >> 3)) >>> (bit & 7)) & LIMB_MASK);
    bit += <usize>LIMB_BITS;
  }
  store<i64>(to, load<i64>(bytes, 29) & LAST_MASK, LAST);
}

/** Writes p. */
export function writePrime(to: Limbs): void {
  for (let at: usize = 0; at < LAST; at += LIMB) store<i64>(to + at, LIMB_MASK);
  store<i64>(to, LIMB_MASK - 18);
  store<i64>(to, LAST_MASK, LAST);
}

/** Sets `to` to `from`^2. Both may be the same number. */
export function square(from: Limbs, to: Limbs): void {
  const x0 = load<u64>(from);
  const x1 = load<u64>(from, 8);
  const x2 = load<u64>(from, 16);
  const x3 = load<u64>(from, 24);
  const x4 = load<u64>(from, 32);
  const x5 = load<u64>(from, 40);
  const x6 = load<u64>(from, 48);
  const x7 = load<u64>(from, 56);
  const x8 = load<u64>(from, 64);
  let carry = storeColumn(0, x0 * x0);
  carry = storeColumn(8, carry + 2 * (x0 * x1));
  carry = storeColumn(16, carry + 2 * (x0 * x2) + x1 * x1);
  carry = storeColumn(24, carry + 2 * (x0 * x3 + x1 * x2));
  carry = storeColumn(32, carry + 2 * (x0 * x4 + x1 * x3) + x2 * x2);
  carry = storeColumn(40, carry + 2 * (x0 * x5 + x1 * x4 + x2 * x3));
  carry = storeColumn(48, carry + 2 * (x0 * x6 + x1 * x5 + x2 * x4) + x3 * x3);
  carry = storeColumn(56, carry + 2 * (x0 * x7 + x1 * x6 + x2 * x5 + x3 * x4));
  carry = storeColumn(64, carry + 2 * (x0 * x8 + x1 * x7 + x2 * x6 + x3 * x5) + x4 * x4);
  carry = storeColumn(72, carry + 2 * (x1 * x8 + x2 * x7 + x3 * x6 + x4 * x5));
  carry = storeColumn(80, carry + 2 * (x2 * x8 + x3 * x7 + x4 * x6) + x5 * x5);
  carry = storeColumn(88, carry + 2 * (x3 * x8 + x4 * x7 + x5 * x6));
  carry = storeColumn(96, carry + 2 * (x4 * x8 + x5 * x7) + x6 * x6);
  carry = storeColumn(104, carry + 2 * (x5 * x8 + x6 * x7));
  carry = storeColumn(112, carry + 2 * (x6 * x8) + x7 * x7);
  carry = storeColumn(120, carry + 2 * (x7 * x8));
  carry = storeColumn(128, carry + x8 * x8);
  store<u64>(product, carry, 136);
  for (let at: usize = 0; at <= LAST; at += LIMB) {
    store<u64>(to + at, load<u64>(product + at) + WRAP * load<u64>(product + at, NUMBER));
  }
  reduce(to);
}

function storeColumn(at: usize, sum: u64): u64 {
  store<u64>(product + at, sum & LIMB_MASK);
  return sum >> LIMB_BITS;
}

/**
 * Brings limbs of up to 62 bits, of either sign, back to 29 bits each, and the number to slightly above 2^255
 * at most. The number itself must not be negative.
 */
export function reduce(number: Limbs): void {
  carryUp(number, 0);
  const last = load<i64>(number, LAST);
  store<i64>(number, last & LAST_MASK, LAST);
  carryUp(number, (last >> LAST_BITS) * 19);
}

/** Adds `carry` to the number. Then only the last limb can have more than 29 bits. */
function carryUp(number: Limbs, carry: i64): void {
  for (let at: usize = 0; at < LAST; at += LIMB) {
    carry += load<i64>(number + at);
    store<i64>(number + at, carry & LIMB_MASK);
    carry >>= LIMB_BITS;
  }
  store<i64>(number, load<i64>(number, LAST) + carry, LAST);
}
