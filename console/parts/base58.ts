/** That of Bitcoin. */
export const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** @returns the bytes of a base58 text, null if it is none. */
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

/** @returns whether a text is an address: base58 of 32 bytes. */
export function isAddress(text: string): boolean {
  return text.length >= 32 && text.length <= 44 && decodeBase58(text)?.length === 32;
}

/** @returns whether a text is a signature: base58 of 64 bytes. */
export function isSignature(text: string): boolean {
  return text.length >= 64 && text.length <= 88 && decodeBase58(text)?.length === 64;
}
