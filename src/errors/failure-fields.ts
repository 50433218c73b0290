interface FailureFields {
  readonly error: string;
  /** The code of a system or database error, such as `ECONNREFUSED`. */
  readonly code?: string;
  readonly stack: readonly string[];
}

/**
 * Returns the name and the stack frames of a thrown value, for a log line. The message is left out because it
 * may quote the request.
 */
export function failureFields(thrown: unknown): FailureFields {
  if (!(thrown instanceof Error)) return { error: typeof thrown, stack: [] };
  const { name, message, stack = '' } = thrown;
  // The message may contain lines that look like frames, so the frames are read after it.
  const messageAt = stack.indexOf(message);
  const frames = messageAt < 0 ? [] : stack.slice(messageAt + message.length).split('\n');
  const { code } = thrown as { readonly code?: unknown };
  const isPlain = typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code);
  return {
    error: name,
    ...(isPlain && { code }),
    stack: frames.filter((line) => line !== '').map((line) => line.trim()),
  };
}
