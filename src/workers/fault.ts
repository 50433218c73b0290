import type { ErrorCode } from '../errors/codes.ts';
import { ServiceError, type ErrorContext } from '../errors/service-error.ts';

/** A ServiceError on its way to another process. Its cause stays behind. */
export interface Fault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly context: ErrorContext;
}

/**
 * What of an error another process is told; null for what is no ServiceError, of which nothing leaves this
 * process.
 */
export function faultOf(error: unknown): Fault | null {
  if (!(error instanceof ServiceError)) return null;
  const { code, message, context } = error;
  return { code, message, context };
}

/** The error that a fault was. */
export function errorOf({ code, message, context }: Fault): ServiceError {
  return new ServiceError(code, message, context);
}
