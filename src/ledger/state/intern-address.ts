import { type Address, addressOf } from '../../solana/address.ts';

/** Maximum number of cached texts: far more than the programs and mints of a ledger, which repeat most. */
const TEXTS_MAX = 4_096;

const texts = new Map<string, Address>();

/** Encodes 32 bytes as an address. Cached, because base58 costs several times as much as a lookup. */
export function internAddress(bytes: Uint8Array): Address {
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const known = texts.get(key);
  if (known !== undefined) return known;
  const address = addressOf(bytes);
  if (texts.size >= TEXTS_MAX) texts.clear();
  texts.set(key, address);
  return address;
}
