import { type Address, isAddress } from '../../solana/address.ts';
import { readKeypair } from './keypair-file.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable } from './verb-failure.ts';

/**
 * The wallet that is named, else the one of the keypair.
 *
 * @throws {VerbFailure} `config`
 */
export function ownerOf(call: VerbCall): Address {
  const [named] = call.words;
  if (named === undefined) return readKeypair(call).address;
  if (isAddress(named)) return named;
  throw unusable(`'${named}' is no base58 Solana address`);
}
