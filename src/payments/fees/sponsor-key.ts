import { ed25519 } from '@noble/curves/ed25519.js';
import { ServiceError } from '../../errors/service-error.ts';
import { readByteArray } from '../../json/parse-json.ts';
import { type Address, addressOf } from '../../solana/address.ts';

interface SponsorKey {
  /** The 32 secret bytes of the ed25519 key. */
  readonly seed: Uint8Array;
  readonly address: Address;
}

const SECRET_BYTES = 64;
const SEED_BYTES = 32;

/**
 * Parses a key in the Solana CLI's format: a JSON array of 64 bytes, the seed and then the public key.
 *
 * @param variable names the setting in errors, which contain no part of the text.
 * @throws {ServiceError} CONFIG_INVALID if the text is not in this format, or if the two halves do not match.
 */
export function parseSponsorKey(text: string, variable: string): SponsorKey {
  const secret = readByteArray(text);
  if (secret === null) {
    throw new ServiceError(
      'CONFIG_INVALID',
      `${variable} is not a valid Solana secret key: it must be a JSON array of ${SECRET_BYTES} numbers, as solana-keygen writes it`,
      {
        variable,
      },
    );
  }
  const seed = secret.slice(0, SEED_BYTES);
  const publicKey = secret.slice(SEED_BYTES);
  if (secret.length !== SECRET_BYTES || Buffer.compare(ed25519.getPublicKey(seed), publicKey) !== 0) {
    throw new ServiceError(
      'CONFIG_INVALID',
      `${variable} is not a valid Solana secret key: it must have ${SECRET_BYTES} bytes, and the last 32 must be the public key of the first 32`,
      { variable },
    );
  }
  return { seed, address: addressOf(publicKey) };
}
