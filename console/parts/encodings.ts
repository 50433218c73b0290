/** The Bitcoin alphabet. */
const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Decodes base58; null if the text is invalid. */
export function decodeBase58(text: string): Uint8Array | null {
  let number = 0n;
  for (const character of text) {
    const digit = BASE58_ALPHABET.indexOf(character);
    if (digit < 0) return null;
    number = number * 58n + BigInt(digit);
  }
  const bytes: number[] = [];
  for (; number > 0n; number >>= 8n) bytes.push(Number(number & 0xffn));
  for (let at = 0; text[at] === '1'; at++) bytes.push(0);
  return Uint8Array.from(bytes.toReversed());
}

/** Returns whether a text is an address: base58 of 32 bytes. */
export function isAddress(text: string): boolean {
  return text.length >= 32 && text.length <= 44 && decodeBase58(text)?.length === 32;
}

/** Returns whether a text is a signature: base58 of 64 bytes. */
export function isSignature(text: string): boolean {
  return text.length >= 64 && text.length <= 88 && decodeBase58(text)?.length === 64;
}

/** Encodes bytes as base58. Leading zero bytes become leading `1` characters. */
export function encodeBase58(bytes: Uint8Array): string {
  let number = 0n;
  for (const byte of bytes) number = number * 256n + BigInt(byte);
  let text = '';
  for (; number > 0n; number /= 58n) text = BASE58_ALPHABET.charAt(Number(number % 58n)) + text;
  const first = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(first < 0 ? bytes.length : first) + text;
}

/** Encodes bytes as base64. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCodePoint(byte);
  return btoa(text);
}

/** Decodes base64; null if the text is invalid. Ignores white space, because users paste texts. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const compact = text.replaceAll(/\s+/g, '');
  if (compact === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact) || compact.length % 4 === 1) return null;
  try {
    return Uint8Array.from(atob(compact), (character) => character.codePointAt(0) ?? 0);
  } catch {
    return null;
  }
}
