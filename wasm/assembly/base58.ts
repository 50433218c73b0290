/** Base58 in Bitcoin's alphabet, which Solana uses for addresses, signatures and hashes. */

/** Maximum number of bytes to encode: a packet (`solana-packet` PACKET_DATA_SIZE). */
const BYTES_MAX: i32 = 1_232;

/** Input buffer. The bytes are at its end. */
export const bytes = memory.data(BYTES_MAX, 4);
const bytesEnd: usize = bytes + BYTES_MAX;

/** log(256) / log(58) is below 1.38, and the highest chunk can have four extra digits. */
const TEXT_MAX: i32 = 1_705;

/** Output buffer. The text is at its end. */
export const text = memory.data(TEXT_MAX);
const textEnd: usize = text + TEXT_MAX;

/** Divisor for five digits at a time. A remainder below 58^5 and a 32-bit word fit into 62 bits. */
const CHUNK: u64 = 58 ** 5;
const CHUNK_DIGITS: usize = 5;

/** `1` to `9`, `A` to `Z` without `I` and `O`, `a` to `z` without `l`. */
const ALPHABET = memory.data<u8>([
  0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a,
  0x4b, 0x4c, 0x4d, 0x4e, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x61, 0x62, 0x63,
  0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6d, 0x6e, 0x6f, 0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76,
  0x77, 0x78, 0x79, 0x7a,
]);
const ONE: u8 = 0x31;

/**
 * Encodes the last `count` bytes of `bytes` by long division, which overwrites them. Returns the offset of
 * the result in `text`. Each leading zero byte becomes a leading `1`.
 */
export function encodeBase58(count: usize): usize {
  let ones = 0;
  for (let at = bytesEnd - count; at < bytesEnd && load<u8>(at) == 0; at++) ones++;
  let first = fillWords(count);
  let at = textEnd;
  while (first < bytesEnd) {
    at -= CHUNK_DIGITS;
    writeChunk(divide(first), at);
    // 58^5 is below 2^32, so at most one word has become zero.
    if (load<u32>(first) == 0) first += 4;
  }
  // Skips the `1` digits that only pad the highest chunk.
  while (at < textEnd && load<u8>(at) == ONE) at++;
  for (; ones > 0; ones--) store<u8>(--at, ONE);
  return at - text;
}

/** Converts the bytes to words, highest first. Returns the address of the first word. */
function fillWords(count: usize): usize {
  const first = bytesEnd - ((count + 3) & ~3);
  for (let at = first; at < bytesEnd - count; at++) store<u8>(at, 0);
  for (let word = first; word < bytesEnd; word += 4) store<u32>(word, bswap(load<u32>(word)));
  return first;
}

/** Divides the number in the words from `first` on by 58^5. Returns the remainder. */
function divide(first: usize): u32 {
  let remainder: u64 = 0;
  for (let word = first; word < bytesEnd; word += 4) {
    const value = (remainder << 32) | load<u32>(word);
    const quotient = value / CHUNK;
    store<u32>(word, <u32>quotient);
    remainder = value - quotient * CHUNK;
  }
  return <u32>remainder;
}

/** Writes the five digits of a number below 58^5. */
function writeChunk(chunk: u32, to: usize): void {
  for (let at = to + CHUNK_DIGITS; at > to;) {
    const rest = chunk / 58;
    store<u8>(--at, load<u8>(ALPHABET + (chunk - rest * 58)));
    chunk = rest;
  }
}
