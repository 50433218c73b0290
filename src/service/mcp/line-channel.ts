import type { Readable, Writable } from 'node:stream';
import type { Reply } from '../reply.ts';
import { LineSplitter, type Line } from './line-splitter.ts';

/** Messages of the one client, one in each line, and where their answers go. */
export interface LineStreams {
  readonly input: Readable;
  /** Takes the answers and nothing else. */
  readonly output: Writable;
}

/** A server over streams, running. */
export interface StdioServer {
  /** Resolves once the input has ended and everything that was asked is answered. */
  readonly done: Promise<void>;
  /** Reads no more, and resolves as `done`. */
  close(): Promise<void>;
}

/**
 * Takes messages by lines (MCP 2025-11-25, transports, stdio) and writes what they are answered, in the order in which
 * the answers come.
 *
 * @param take answers a line; undefined where there is nothing to say. It does not fail.
 */
export function serveLines(
  { input, output }: LineStreams,
  bytesMax: number,
  take: (line: Line) => Reply | undefined | Promise<Reply | undefined>,
): StdioServer {
  const pending = new Set<Promise<void>>();
  const lines = new LineSplitter(bytesMax);
  const answer = (line: Line): void => {
    const reply = take(line);
    if (!(reply instanceof Promise)) return write({ input, output }, reply);
    const written = reply
      .then((late) => write({ input, output }, late))
      .finally(() => pending.delete(written));
    pending.add(written);
  };
  input.on('data', (chunk: Buffer | string) => {
    for (const line of lines.push(Buffer.from(chunk))) answer(line);
  });
  // The last message may lack its line feed.
  input.once('end', () => answer(lines.end()));
  // Nobody is left to answer.
  output.once('error', () => input.destroy());
  const done = new Promise<void>((resolve) => {
    for (const event of ['end', 'error', 'close']) input.once(event, () => resolve());
  }).then(async () => {
    while (pending.size > 0) await Promise.all(pending);
  });
  return {
    done,
    close: () => {
      input.destroy();
      return done;
    },
  };
}

/** Whether there is no message in a line. */
export function isBlank(line: Buffer): boolean {
  return line.toString('latin1').trim() === '';
}

/** Writes an answer; when the client reads slower than it asks, nothing more is read from it until it has caught up. */
function write({ input, output }: LineStreams, reply: Reply | undefined): void {
  if (reply?.body === undefined) return;
  output.cork();
  output.write(reply.body);
  if (reply.rest !== undefined) output.write(reply.rest);
  const hasRoom = output.write('\n');
  output.uncork();
  if (hasRoom || input.isPaused()) return;
  input.pause();
  output.once('drain', () => input.resume());
}
