import { BASE58_ALPHABET } from '../parts/base58.ts';

/** Bytes as base58; leading zero bytes are leading ones. */
export function encodeBase58(bytes: Uint8Array): string {
  let number = 0n;
  for (const byte of bytes) number = number * 256n + BigInt(byte);
  let text = '';
  for (; number > 0n; number /= 58n) text = BASE58_ALPHABET.charAt(Number(number % 58n)) + text;
  const first = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(first < 0 ? bytes.length : first) + text;
}
