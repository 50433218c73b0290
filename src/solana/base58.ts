import { viewOf, wasm } from './wasm.ts';

/** Bitcoin's base58 alphabet, which Solana uses for addresses, signatures and hashes. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const DIGIT = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 58; digit++) DIGIT[ALPHABET.charCodeAt(digit)] = digit;

/** Digits decoded at a time: 58^5 < 2^30, so a step with 16 more bits is exact in a double. */
const CHUNK_DIGITS = 5;

/** Thrown for a character outside the base58 alphabet. Contains its index in characters. */
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

/** Maximum bytes and characters of the module (`wasm/assembly/base58.ts`), enough for a packet. */
const BYTES_MAX = 1_232;
const TEXT_MAX = 1_705;

/** Buffers of the module. Bytes and text are at their ends. */
const byteBuffer = viewOf(wasm?.bytes, BYTES_MAX);
const textBuffer = viewOf(wasm?.text, TEXT_MAX);

/** Encodes bytes as base58. Each leading zero byte becomes a leading `1`. */
export function encodeBase58(bytes: Uint8Array): string {
  if (wasm === null || bytes.length > BYTES_MAX) return encodePlainly(bytes);
  byteBuffer.set(bytes, BYTES_MAX - bytes.length);
  return textBuffer.toString('latin1', wasm.encodeBase58(bytes.length));
}

/** Encodes with BigInt. It is used without WebAssembly and for input longer than a packet. */
function encodePlainly(bytes: Uint8Array): string {
  let digits = '';
  for (let rest = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= 58n) {
    digits = ALPHABET.charAt(Number(rest % 58n)) + digits;
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + digits;
}

/**
 * Decodes a base58 text. An empty text has no bytes.
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
