import { type Address, ADDRESS_BYTES, ADDRESS_TEXT_MAX, decodeKey } from '../../solana/address.ts';
import { SIGNATURE_BYTES, SIGNATURE_TEXT_MAX } from '../../solana/signature.ts';
import { invalidParams } from '../errors.ts';

/**
 * Parses an address.
 *
 * @throws {RpcError} -32602 with the texts of Agave's `verify_pubkey`.
 */
export function verifyAddress(text: string): Address {
  const fault = findKeyFault(text, ADDRESS_BYTES, ADDRESS_TEXT_MAX);
  if (fault !== undefined) throw invalidParams(`Invalid param: ${fault}`);
  return text as Address;
}

/**
 * Checks the base58 text of a signature.
 *
 * @throws {RpcError} -32602 with the texts of Agave's `verify_signature`.
 */
export function verifySignature(text: string): string {
  const fault = findKeyFault(text, SIGNATURE_BYTES, SIGNATURE_TEXT_MAX);
  if (fault !== undefined) throw invalidParams(`Invalid param: ${fault}`);
  return text;
}

/**
 * Why `text` is not the base58 of a hash; undefined if it is. Hashes have the length and the faults of
 * addresses.
 */
export function findHashFault(text: string): string | undefined {
  return findKeyFault(text, ADDRESS_BYTES, ADDRESS_TEXT_MAX);
}

function findKeyFault(text: string, byteCount: number, textMax: number): string | undefined {
  const decoded = decodeKey(text, byteCount, textMax);
  if (typeof decoded !== 'string') return undefined;
  // Rust measures text in bytes, so characters outside ASCII can make it too long.
  return Buffer.byteLength(text) > textMax ? 'WrongSize' : decoded;
}
