import { tryParseJson } from './try-parse-json.ts';

/** Reads a JSON array of bytes, the format of `solana-keygen`'s key files; null for any other text. */
export function readByteArray(text: string): Uint8Array | null {
  const value = tryParseJson(text);
  return Array.isArray(value) && value.every(isByte) ? Uint8Array.from(value) : null;
}

const isByte = (item: unknown): item is number =>
  Number.isInteger(item) && Number(item) >= 0 && Number(item) <= 255;
