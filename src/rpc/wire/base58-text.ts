import { Base58Error, decodeBase58 } from '../../solana/base58.ts';
import { invalidParams } from '../errors.ts';
import { debugString } from '../params/unexpected.ts';

/**
 * Decodes base58.
 *
 * @throws {RpcError} -32602 with the message of the Rust crate `bs58` 0.5.
 */
export function decodeBase58Text(text: string): Uint8Array {
  try {
    return decodeBase58(text);
  } catch (error) {
    if (error instanceof Base58Error)
      throw invalidParams(`invalid base58 encoding: ${describeBase58Fault(error)}`);
    throw error;
  }
}

/** The message of the Rust crate `bs58` 0.5 for a fault (`decode::Error`, as printed by `{:?}`). */
export function describeBase58Fault({ character, index }: Base58Error): string {
  if (character.charCodeAt(0) > 0x7f) return `NonAsciiCharacter { index: ${index} }`;
  return `InvalidCharacter { character: ${debugCharacter(character)}, index: ${index} }`;
}

/** Rust's `{:?}` of a character: as in a string, but with the single quote escaped. */
function debugCharacter(character: string): string {
  if (character === "'") return "'\\''";
  return character === '"' ? `'"'` : `'${debugString(character).slice(1, -1)}'`;
}
