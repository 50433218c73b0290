import { ServiceError } from '../errors/service-error.ts';
import { Base58Error, decodeBase58, encodeBase58 } from './base58.ts';
import { recallAddress, recentBytes, rememberAddress } from './recent-addresses.ts';

/**
 * An account's address: the base58 text of exactly 32 bytes. Any 32 bytes are an address, on the curve or
 * not.
 */
export type Address = string & { readonly __brand: 'Address' };

/** Bytes of an address. */
export const ADDRESS_BYTES = 32;

/** The longest base58 text of 32 bytes (Agave `MAX_BASE58_LEN` of `solana-pubkey`). */
export const ADDRESS_TEXT_MAX = 44;

/** What is wrong with a text that should be a key, in the words of Agave's `ParsePubkeyError`. */
type KeyFault = 'WrongSize' | 'Invalid';

/**
 * The bytes of a base58 text that must stand for exactly `byteCount` bytes, or what is wrong with it. The
 * length of the text is judged first, then its characters, then its value: Agave's order (`FromStr` of Pubkey
 * and Signature).
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
 * `text` as an address.
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

/** The 32 bytes of an address. */
export function addressBytes(address: Address): Uint8Array {
  const at = findBytes(address);
  return recentBytes.slice(at, at + ADDRESS_BYTES);
}

/** Writes the 32 bytes of an address at `offset`. */
export function writeAddress(target: Uint8Array, offset: number, address: Address): void {
  const at = findBytes(address);
  for (let i = 0; i < ADDRESS_BYTES; i++) target[offset + i] = recentBytes[at + i] as number;
}

/**
 * Whether the 32 bytes at `offset` are those of an address; false where there are fewer. Makes neither bytes
 * nor text.
 */
export function isAddressAt(bytes: Uint8Array, offset: number, address: Address): boolean {
  const at = findBytes(address);
  for (let i = 0; i < ADDRESS_BYTES; i++) if (bytes[offset + i] !== recentBytes[at + i]) return false;
  return true;
}

/** Where the bytes of an address begin in {@link recentBytes}. */
function findBytes(address: Address): number {
  const at = recallAddress(address);
  if (at >= 0) return at;
  const bytes = decodeBase58(address);
  if (bytes.length !== ADDRESS_BYTES) throw new TypeError(`${address} is no address`);
  return rememberAddress(address, bytes);
}

/** The address of 32 bytes. */
export function addressOf(bytes: Uint8Array): Address {
  return encodeBase58(bytes) as Address;
}
