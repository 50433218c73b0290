import { ServiceError } from '../errors/service-error.ts';

/** The largest transaction the network carries, in bytes (Agave PACKET_DATA_SIZE: 1280 - 40 - 8). */
export const TRANSACTION_BYTES_MAX = 1_232;

/**
 * Refuses a transaction that the network would not carry.
 *
 * @param size its bytes.
 * @param waysOut what can be done about it, each a clause such as "leave out memo".
 * @param context members the error has besides.
 * @throws {ServiceError} TRANSACTION_TOO_LARGE.
 */
export function requireFitting(
  size: number,
  waysOut: readonly string[] = [],
  context: Readonly<Record<string, string>> = {},
): void {
  if (size <= TRANSACTION_BYTES_MAX) return;
  const mend = waysOut.length === 0 ? 'leave out optional parts' : waysOut.join(', or ');
  throw new ServiceError(
    'TRANSACTION_TOO_LARGE',
    `Transaction too large: ${size} > ${TRANSACTION_BYTES_MAX} bytes: ${mend}`,
    { ...context, size, limit: TRANSACTION_BYTES_MAX },
  );
}
