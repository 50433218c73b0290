import { createHash } from 'node:crypto';
import { ServiceError } from '../../errors/service-error.ts';
import { addressBytes } from '../../solana/address.ts';
import { findPda, type Pda } from '../../solana/pda.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../addresses.ts';
import { textSeed } from '../instruction-data.ts';

const PROGRAM_BYTES = addressBytes(EPHEMERAL_TOKEN_PROGRAM);
const POOL_SEED = textSeed('stealth_pool');
const HANDLE_HASH_PREFIX = 'stealth_pool_handle';
const SEED_BYTES_MAX = 32;

/** Maximum size of a stealth handle, in bytes of UTF-8. Handles are not normalized. */
export const HANDLE_BYTES_MAX = 255;

/**
 * Derives the pool of a stealth handle. Seeds "stealth_pool", then the handle's bytes: one seed up to 32
 * bytes, two seeds up to 64. Longer handles use the first 32 and sha256("stealth_pool_handle" + handle).
 *
 * @throws {ServiceError} INVALID_ARGUMENTS if the handle is empty or longer than 255 bytes.
 */
export function deriveStealthPool(handle: string): Pda {
  const bytes = textSeed(handle);
  if (bytes.length === 0 || bytes.length > HANDLE_BYTES_MAX) {
    throw new ServiceError(
      'INVALID_ARGUMENTS',
      `handle must be between 1 and ${HANDLE_BYTES_MAX} UTF-8 bytes`,
      {
        field: 'handle',
      },
    );
  }
  return findPda([POOL_SEED, ...handleSeeds(bytes)], PROGRAM_BYTES);
}

function handleSeeds(handle: Uint8Array): Uint8Array[] {
  // A seed has at most 32 bytes (Solana `MAX_SEED_LEN`), so longer handles take two.
  if (handle.length <= SEED_BYTES_MAX) return [handle];
  const head = handle.subarray(0, SEED_BYTES_MAX);
  if (handle.length <= 2 * SEED_BYTES_MAX) return [head, handle.subarray(SEED_BYTES_MAX)];
  return [head, new Uint8Array(createHash('sha256').update(HANDLE_HASH_PREFIX).update(handle).digest())];
}
