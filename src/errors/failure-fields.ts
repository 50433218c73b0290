/** What a log may say about a bug. */
interface FailureFields {
  readonly error: string;
  readonly stack: readonly string[];
}

/**
 * The name and the stack frames of something that was thrown, for a log line. The message is left out: it may
 * quote what the request contained.
 */
export function failureFields(thrown: unknown): FailureFields {
  if (!(thrown instanceof Error)) return { error: typeof thrown, stack: [] };
  const { name, message, stack = '' } = thrown;
  // The message may have lines that look like frames, so the text is cut behind it first.
  const messageAt = stack.indexOf(message);
  const frames = messageAt < 0 ? [] : stack.slice(messageAt + message.length).split('\n');
  return { error: name, stack: frames.filter((line) => line !== '').map((line) => line.trim()) };
}
