/** SHA-256 (FIPS 180-4) in separate steps, so steps that are the same for all bumps run once. */

/** The round constants (4.2.2): the first 32 fractional bits of the cube roots of the first 64 primes. */
const K = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);

/** The initial hash value (5.3.3): the same bits of the square roots of the first eight primes. */
export const INITIAL = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

/** Size of a block, bytes. */
export const BLOCK: usize = 64;

/** Size of a state and of a digest, bytes. */
export const STATE: i32 = 32;

/** Size of a message schedule, bytes. */
export const SCHEDULE: i32 = 64 * 4;

/**
 * Computes the state after a block from its message schedule (6.2.2). `after` may equal `state`. After eight
 * rounds the working variables are back in their places, so none has to move.
 */
export function compress(state: usize, schedule: usize, after: usize): void {
  let a = load<u32>(state);
  let b = load<u32>(state, 4);
  let c = load<u32>(state, 8);
  let d = load<u32>(state, 12);
  let e = load<u32>(state, 16);
  let f = load<u32>(state, 20);
  let g = load<u32>(state, 24);
  let h = load<u32>(state, 28);
  for (let at: usize = 0; at < <usize>SCHEDULE; at += 32) {
    h += mixE(e, f, g) + load<u32>(K + at) + load<u32>(schedule + at);
    d += h;
    h += mixA(a, b, c);
    g += mixE(d, e, f) + load<u32>(K + at, 4) + load<u32>(schedule + at, 4);
    c += g;
    g += mixA(h, a, b);
    f += mixE(c, d, e) + load<u32>(K + at, 8) + load<u32>(schedule + at, 8);
    b += f;
    f += mixA(g, h, a);
    e += mixE(b, c, d) + load<u32>(K + at, 12) + load<u32>(schedule + at, 12);
    a += e;
    e += mixA(f, g, h);
    d += mixE(a, b, c) + load<u32>(K + at, 16) + load<u32>(schedule + at, 16);
    h += d;
    d += mixA(e, f, g);
    c += mixE(h, a, b) + load<u32>(K + at, 20) + load<u32>(schedule + at, 20);
    g += c;
    c += mixA(d, e, f);
    b += mixE(g, h, a) + load<u32>(K + at, 24) + load<u32>(schedule + at, 24);
    f += b;
    b += mixA(c, d, e);
    a += mixE(f, g, h) + load<u32>(K + at, 28) + load<u32>(schedule + at, 28);
    e += a;
    a += mixA(b, c, d);
  }
  store<u32>(after, load<u32>(state) + a);
  store<u32>(after, load<u32>(state, 4) + b, 4);
  store<u32>(after, load<u32>(state, 8) + c, 8);
  store<u32>(after, load<u32>(state, 12) + d, 12);
  store<u32>(after, load<u32>(state, 16) + e, 16);
  store<u32>(after, load<u32>(state, 20) + f, 20);
  store<u32>(after, load<u32>(state, 24) + g, 24);
  store<u32>(after, load<u32>(state, 28) + h, 28);
}

/** Writes the digest of a state: its words, highest byte first. */
export function writeDigest(state: usize, digest: usize): void {
  for (let at: usize = 0; at < <usize>STATE; at += 4) store<u32>(digest + at, bswap(load<u32>(state + at)));
}

/** Writes the message schedule of a block (6.2.2, step 1). */
export function expand(block: usize, schedule: usize): void {
  for (let at: usize = 0; at < 64; at += 4) store<u32>(schedule + at, bswap(load<u32>(block + at)));
  for (let to = schedule + 64; to < schedule + <usize>SCHEDULE; to += 4) {
    const w2 = load<u32>(to - 8);
    const w15 = load<u32>(to - 60);
    const s0 = rotr<u32>(w15, 7) ^ rotr<u32>(w15, 18) ^ (w15 >> 3);
    const s1 = rotr<u32>(w2, 17) ^ rotr<u32>(w2, 19) ^ (w2 >> 10);
    store<u32>(to, load<u32>(to - 64) + s0 + load<u32>(to - 28) + s1);
  }
}

/** Sigma_1(e) + Ch(e, f, g). */
function mixE(e: u32, f: u32, g: u32): u32 {
  return (rotr<u32>(e, 6) ^ rotr<u32>(e, 11) ^ rotr<u32>(e, 25)) + (g ^ (e & (f ^ g)));
}

/** Sigma_0(a) + Maj(a, b, c). */
function mixA(a: u32, b: u32, c: u32): u32 {
  return (rotr<u32>(a, 2) ^ rotr<u32>(a, 13) ^ rotr<u32>(a, 22)) + ((a & b) | (c & (a | b)));
}
