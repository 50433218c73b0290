import { ERROR_CODES, type ErrorCode } from './codes.ts';

/** An expected error without a stack trace, because the trace would take 90% of its creation time. */
export class TracelessError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Facts that the caller may see: field names, addresses, limits. They never include secrets or URLs. */
export type ErrorContext = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * The only error class that the project throws on purpose. `message` tells the caller what to change, and
 * `context` has the same facts for programs. Any other error is a bug and reaches the caller without details.
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

  /** The HTTP status of REST. */
  get httpStatus(): number {
    return ERROR_CODES[this.code].http;
  }

  /** The sentence shared by all errors with this code. */
  get title(): string {
    return ERROR_CODES[this.code].title;
  }
}

/** Whether `error` is a ServiceError, optionally with the given code. */
export function isServiceError(error: unknown, code?: ErrorCode): error is ServiceError {
  return error instanceof ServiceError && (code === undefined || error.code === code);
}
