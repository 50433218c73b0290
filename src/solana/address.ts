import { ServiceError } from '../errors/service-error.ts';
import { Base58Error, decodeBase58, encodeBase58 } from './base58.ts';

/** An account's address: the base58 text of exactly 32 bytes, on the curve or not. */
export type Address = string & { readonly __brand: 'Address' };

/** Number of bytes in an address. */
export const ADDRESS_BYTES = 32;

/** The longest base58 text of 32 bytes (Agave `MAX_BASE58_LEN` of `solana-pubkey`). */
export const ADDRESS_TEXT_MAX = 44;

/** Reasons why a text is not a key, named like Agave's `ParsePubkeyError`. */
type KeyFault = 'WrongSize' | 'Invalid';

/**
 * Decodes a base58 text of exactly `byteCount` bytes, or returns the fault of the text. Checks its length,
 * then its characters, then its value, like Agave (`FromStr` of Pubkey and Signature).
 */
export function decodeKey(text: string, byteCount: number, textMax: number): Uint8Array | KeyFault {
  if (text.length > textMax) return 'WrongSize';
  try {
    const bytes = decodeBase58(text);
    return bytes.length === byteCount ? bytes : 'WrongSize';
  } catch (error) {
    if (error instanceof Base58Error) return 'Invalid';
    throw error;
  }
}

/** Whether `text` is an address. */
export function isAddress(text: string): text is Address {
  if (recallAddress(text) >= 0) return true;
  const bytes = decodeKey(text, ADDRESS_BYTES, ADDRESS_TEXT_MAX);
  if (typeof bytes === 'string') return false;
  rememberAddress(text, bytes);
  return true;
}

/**
 * Parses an address.
 *
 * @param field the caller's name for the value, used in the error.
 * @throws {ServiceError} INVALID_ADDRESS.
 */
export function parseAddress(text: string, field: string): Address {
  if (!isAddress(text)) {
    throw new ServiceError('INVALID_ADDRESS', `${field} must be a base58 Solana address of 32 bytes`, {
      field,
    });
  }
  return text;
}

/** Returns the 32 bytes of an address. */
export function addressBytes(address: Address): Uint8Array {
  const at = findBytes(address);
  return recentBytes.slice(at, at + ADDRESS_BYTES);
}

/** Writes the 32 bytes of an address at `offset`. */
export function writeAddress(target: Uint8Array, offset: number, address: Address): void {
  const at = findBytes(address);
  for (let i = 0; i < ADDRESS_BYTES; i++) target[offset + i] = recentBytes[at + i] as number;
}

/** Whether the bytes at `offset` are this address; false if fewer than 32 are left. Allocates nothing. */
export function isAddressAt(bytes: Uint8Array, offset: number, address: Address): boolean {
  const at = findBytes(address);
  for (let i = 0; i < ADDRESS_BYTES; i++) if (bytes[offset + i] !== recentBytes[at + i]) return false;
  return true;
}

/** Returns the offset of the bytes of an address in {@link recentBytes}. */
function findBytes(address: Address): number {
  const at = recallAddress(address);
  if (at >= 0) return at;
  const bytes = decodeBase58(address);
  if (bytes.length !== ADDRESS_BYTES) throw new TypeError(`${address} is not an address`);
  return rememberAddress(address, bytes);
}

/** Returns the address with these 32 bytes. */
export function addressOf(bytes: Uint8Array): Address {
  return encodeBase58(bytes) as Address;
}

/** Places in the cache of recent addresses, enough for some hundred requests. Must be a power of two. */
const PLACES = 4_096;

/**
 * Cache of the bytes of recently derived or decoded addresses. One request needs an address as bytes several
 * times, and a lookup takes a tenth of the time of decoding. Every address has one place and replaces the
 * address that was there, so nothing is counted, evicted or allocated.
 */
const recentTexts: (string | undefined)[] = Array.from({ length: PLACES }, () => undefined);
const recentBytes = new Uint8Array(PLACES * ADDRESS_BYTES);

/** Returns the offset of an address in {@link recentBytes}; -1 if it is not there. */
function recallAddress(text: string): number {
  const place = placeOf(text);
  return recentTexts[place] === text ? place * ADDRESS_BYTES : -1;
}

/** Caches an address and its 32 bytes. Returns their offset in {@link recentBytes}. */
export function rememberAddress(text: string, bytes: Uint8Array): number {
  const place = placeOf(text);
  recentTexts[place] = text;
  recentBytes.set(bytes, place * ADDRESS_BYTES);
  return place * ADDRESS_BYTES;
}

/** Uses the last digits, which vary most evenly. The odd factors 61 and 3,721 spread 58 digits apart. */
function placeOf(text: string): number {
  const end = text.length;
  const mixed = text.charCodeAt(end - 1) + text.charCodeAt(end - 2) * 61 + text.charCodeAt(end - 3) * 3_721;
  return mixed & (PLACES - 1);
}
