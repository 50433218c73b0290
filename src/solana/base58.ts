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

/** 22 bits at a time on the other side: a chunk's remainder times 2^22 and a word more stay below 2^53. */
const WORD_BITS = 22;
const WORD = 2 ** WORD_BITS;

/** Room for everything up to a signature, which is what is encoded all the time. */
const USUAL_BYTES_MAX = 64;
const usualRoom = makeRoom(USUAL_BYTES_MAX);

/** `bytes` as base58 text. Each leading zero byte becomes a leading `1`. */
export function encodeBase58(bytes: Uint8Array): string {
  const { words, text } = bytes.length <= USUAL_BYTES_MAX ? usualRoom : makeRoom(bytes.length);
  let count = toWords(bytes, words);
  let at = text.length;
  while (count > 0) {
    let remainder = 0;
    for (let i = count - 1; i >= 0; i--) {
      const value = remainder * WORD + (words[i] as number);
      const quotient = Math.floor(value / CHUNK);
      words[i] = quotient;
      remainder = value - quotient * CHUNK;
    }
    while (count > 0 && words[count - 1] === 0) count--;
    let rest = remainder | 0;
    for (let digit = 0; digit < CHUNK_DIGITS; digit++) {
      const quotient = (rest / 58) | 0;
      text[--at] = CHAR_CODES[rest - quotient * 58] as number;
      rest = quotient;
    }
  }
  // The last chunk is padded with `1` digits that stand for nothing.
  while (at < text.length && text[at] === CHAR_CODES[0]) at++;
  for (let i = 0; i < bytes.length && bytes[i] === 0; i++) text[--at] = CHAR_CODES[0] as number;
  return text.toString('latin1', at);
}

/** Places to work in. log(256) / log(58) is below 1.38; the last chunk may have up to four digits too many. */
function makeRoom(byteCount: number): { words: Float64Array; text: Buffer } {
  return {
    words: new Float64Array(Math.ceil((byteCount * 8) / WORD_BITS)),
    text: Buffer.alloc(Math.ceil(byteCount * 1.38) + CHUNK_DIGITS),
  };
}

/** Writes the number in the bytes as words of 22 bits, the lowest first; returns how many it took. */
function toWords(bytes: Uint8Array, words: Float64Array): number {
  let bits = 0;
  let bitCount = 0;
  let count = 0;
  for (let i = bytes.length - 1; i >= 0; i--) {
    bits |= (bytes[i] as number) << bitCount;
    bitCount += 8;
    if (bitCount < WORD_BITS) continue;
    words[count++] = bits & (WORD - 1);
    bits >>>= WORD_BITS;
    bitCount -= WORD_BITS;
  }
  if (bitCount > 0) words[count++] = bits;
  while (count > 0 && words[count - 1] === 0) count--;
  return count;
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
