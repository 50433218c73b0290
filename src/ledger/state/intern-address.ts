import { addressOf, type Address } from '../../solana/address.ts';

/** Texts kept at most: far more than the programs a ledger has, which are what comes by again and again. */
const TEXTS_MAX = 4_096;

const texts = new Map<string, Address>();

/** The address of 32 bytes, from memory where they came by lately: base58 costs several times as much. */
export function internAddress(bytes: Uint8Array): Address {
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const known = texts.get(key);
  if (known !== undefined) return known;
  const address = addressOf(bytes);
  if (texts.size >= TEXTS_MAX) texts.clear();
  texts.set(key, address);
  return address;
}
