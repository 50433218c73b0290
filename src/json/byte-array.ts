import { tryParseJson } from './try-parse-json.ts';

/** The bytes of a JSON array of them, as `solana-keygen` writes keys; null for any other text. */
export function readByteArray(text: string): Uint8Array | null {
  const value = tryParseJson(text);
  return Array.isArray(value) && value.every(isByte) ? Uint8Array.from(value) : null;
}

const isByte = (item: unknown): item is number =>
  Number.isInteger(item) && Number(item) >= 0 && Number(item) <= 255;
