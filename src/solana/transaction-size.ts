import { ServiceError } from '../errors/service-error.ts';
import { V1_PREFIX } from './message-version.ts';

/** The largest transaction the network carries, in bytes (Agave PACKET_DATA_SIZE: 1280 - 40 - 8). */
export const TRANSACTION_BYTES_MAX = 1_232;

/** The largest transaction of version 1, in bytes (SIMD-0385). */
export const V1_TRANSACTION_BYTES_MAX = 4_096;

/** How large a transaction may be that begins with this byte. */
export const transactionBytesMax = (first: number | undefined): number =>
  first === V1_PREFIX ? V1_TRANSACTION_BYTES_MAX : TRANSACTION_BYTES_MAX;

/**
 * Refuses a transaction that the network would not carry.
 *
 * @param size its bytes.
 * @param waysOut what can be done about it, each a clause such as "leave out memo".
 * @param context members the error has besides.
 * @param limit the most bytes there may be.
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
