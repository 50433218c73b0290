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
