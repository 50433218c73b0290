import type { Logger } from '../../ports/logger.ts';

/**
 * Logs what failed and will be tried again: as an error the first time, as a warning when it goes on.
 *
 * @param fields with the failures in a row, this one included (`BackOff.hold`).
 */
export function tellSetback(
  logger: Logger,
  fields: { readonly failures: number; readonly reason: unknown; readonly mint?: string },
  message: string,
): void {
  logger[fields.failures === 1 ? 'error' : 'warn'](fields, message);
}
