import { failureFields } from '../errors/failure-fields.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Logger } from '../ports/logger.ts';

/**
 * Reads or writes a store on behalf of a caller, and logs a failure.
 *
 * @throws {ServiceError} SERVICE_BUSY if the store fails.
 */
export async function useStore<T>(use: () => Promise<T>, logger: Logger): Promise<T> {
  try {
    return await use();
  } catch (error) {
    logger.error(failureFields(error), 'the store of payments failed');
    throw new ServiceError(
      'SERVICE_BUSY',
      'The payment store is unavailable; try again in a second',
      {},
      { cause: error },
    );
  }
}
