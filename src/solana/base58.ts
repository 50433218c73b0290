/** Bitcoin's base58 alphabet, which Solana uses for addresses, signatures and hashes. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const DIGIT = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 58; digit++) DIGIT[ALPHABET.charCodeAt(digit)] = digit;

const CHAR_CODES = new Uint8Array([...ALPHABET].map((character) => character.charCodeAt(0)));

/** Five base58 digits at a time: 58^5 < 2^30, so one division step stays exact in a double. */
const CHUNK = 58 ** 5;
const CHUNK_DIGITS = 5;

/** Why a text is not base58: a character outside the alphabet, with its index in characters. */
export class Base58Error extends Error {
  override readonly name = 'Base58Error';
  readonly character: string;
  readonly index: number;

  constructor(character: string, index: number) {
    super(`character ${JSON.stringify(character)} at index ${index} is not base58`);
    this.character = character;
    this.index = index;
  }
}

/** `bytes` as base58 text. Each leading zero byte becomes a leading `1`. */
export function encodeBase58(bytes: Uint8Array): string {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  const words: number[] = [];
  for (let end = bytes.length; end > zeros; end -= 2) {
    words.push((bytes[end - 1] as number) | (end - 2 >= zeros ? (bytes[end - 2] as number) << 8 : 0));
  }
  // 138/100 is just above log(256)/log(58); the chunking may add up to four digits.
  const text = Buffer.allocUnsafe(zeros + Math.ceil((bytes.length - zeros) * 1.38) + CHUNK_DIGITS + 1);
  let at = text.length;
  let top = words.length - 1;
  while (top >= 0) {
    let remainder = 0;
    for (let i = top; i >= 0; i--) {
      const value = remainder * 0x10000 + (words[i] as number);
      const quotient = Math.floor(value / CHUNK);
      words[i] = quotient;
      remainder = value - quotient * CHUNK;
    }
    while (top >= 0 && words[top] === 0) top--;
    for (let digit = 0; digit < CHUNK_DIGITS; digit++) {
      const quotient = Math.floor(remainder / 58);
      text[--at] = CHAR_CODES[remainder - quotient * 58] as number;
      remainder = quotient;
    }
  }
  // The last chunk is padded with `1` digits that stand for nothing.
  while (at < text.length && text[at] === CHAR_CODES[0]) at++;
  for (let i = 0; i < zeros; i++) text[--at] = CHAR_CODES[0] as number;
  return text.toString('latin1', at);
}

/**
 * The bytes of a base58 text. The empty text is no bytes.
 *
 * @throws {Base58Error} at the first character outside the alphabet.
 */
export function decodeBase58(text: string): Uint8Array {
  let zeros = 0;
  while (zeros < text.length && text.charCodeAt(zeros) === 0x31) zeros++;
  const words: number[] = [];
  let index = zeros;
  while (index < text.length) {
    let chunk = 0;
    let scale = 1;
    for (let n = 0; n < CHUNK_DIGITS && index < text.length; n++, index++) {
      const code = text.charCodeAt(index);
      const digit = code < 128 ? (DIGIT[code] as number) : -1;
      if (digit < 0) throw new Base58Error(characterAt(text, index), index);
      chunk = chunk * 58 + digit;
      scale *= 58;
    }
    let carry = chunk;
    for (let i = 0; i < words.length; i++) {
      const value = (words[i] as number) * scale + carry;
      carry = Math.floor(value / 0x10000);
      words[i] = value - carry * 0x10000;
    }
    for (; carry > 0; carry = Math.floor(carry / 0x10000)) words.push(carry % 0x10000);
  }
  const highByteUsed = words.length > 0 && (words[words.length - 1] as number) > 0xff;
  const length = words.length * 2 - (words.length > 0 && !highByteUsed ? 1 : 0);
  const bytes = new Uint8Array(zeros + length);
  let at = bytes.length;
  for (const word of words) {
    bytes[--at] = word & 0xff;
    if (at > zeros) bytes[--at] = word >> 8;
  }
  return bytes;
}

function characterAt(text: string, index: number): string {
  return String.fromCodePoint(text.codePointAt(index) as number);
}
