import { ServiceError } from '../errors/service-error.ts';

/** The largest transaction the network carries, in bytes (Agave PACKET_DATA_SIZE: 1280 - 40 - 8). */
export const TRANSACTION_BYTES_MAX = 1_232;

/** The largest transaction of version 1, in bytes (SIMD-0385). */
export const V1_TRANSACTION_BYTES_MAX = 4_096;

/** Maximum size of a transaction that starts with this byte. */
export const transactionBytesMax = (first: number | undefined): number =>
  first === V1_PREFIX ? V1_TRANSACTION_BYTES_MAX : TRANSACTION_BYTES_MAX;

/**
 * Rejects a transaction that is too large for the network.
 *
 * @param size bytes of the transaction.
 * @param waysOut possible fixes, each a clause such as "leave out memo".
 * @param context additional members of the error.
 * @param limit maximum bytes.
 * @throws {ServiceError} TRANSACTION_TOO_LARGE.
 */
export function requireFitting(
  size: number,
  waysOut: readonly string[] = [],
  context: Readonly<Record<string, string>> = {},
  limit = TRANSACTION_BYTES_MAX,
): void {
  if (size <= limit) return;
  const mend = waysOut.length === 0 ? 'leave out optional parts' : waysOut.join(', or ');
  throw new ServiceError(
    'TRANSACTION_TOO_LARGE',
    `Transaction too large: ${size} > ${limit} bytes: ${mend}`,
    { ...context, size, limit },
  );
}

/**
 * The flag of the first byte of a versioned message (`solana-message` `MESSAGE_VERSION_PREFIX`). The other
 * bits are the version. A legacy message starts with its header, which never has this bit.
 */
export const VERSION_FLAG = 0x80;

/** The first byte of a message of version 1, and of its transaction (SIMD-0385). */
export const V1_PREFIX = VERSION_FLAG | 1;
