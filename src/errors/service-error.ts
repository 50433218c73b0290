import { ERROR_CODES, type ErrorCode } from './codes.ts';

/**
 * An error that is an answer: what went wrong is in its members, and where it was noticed helps nobody. It
 * has no stack trace, which would take nine tenths of the time it takes to make one.
 */
export class TracelessError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Facts about one occurrence, safe to show to the caller: field names, addresses, limits. Never secrets or
 * URLs.
 */
export type ErrorContext = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * The one error the project throws on purpose. `message` tells the caller what to change; `context` carries
 * the same facts for programs. Anything else that is thrown is a bug and is answered as an internal error
 * without detail.
 */
export class ServiceError extends TracelessError {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly context: ErrorContext;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.context = context;
  }

  /** HTTP status REST answers with. */
  get httpStatus(): number {
    return ERROR_CODES[this.code].http;
  }

  /** The sentence shared by every occurrence of the code. */
  get title(): string {
    return ERROR_CODES[this.code].title;
  }
}

/** Whether `error` was raised on purpose, optionally with the given code. */
export function isServiceError(error: unknown, code?: ErrorCode): error is ServiceError {
  return error instanceof ServiceError && (code === undefined || error.code === code);
}
