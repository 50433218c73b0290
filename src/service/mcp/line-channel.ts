import type { Readable, Writable } from 'node:stream';
import type { Reply } from '../reply.ts';
import { LineSplitter, type Line } from './line-splitter.ts';

/** Answers that are waited for at once; nothing more is read from a client that waits for as many. */
const PENDING_MAX = 512;

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
 * Takes messages by lines (MCP 2025-11-25, transports, stdio) and writes what they are answered, in the order
 * in which the answers come.
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
  let isGone = false;
  const answer = (line: Line): void => {
    const reply = take(line);
    if (!(reply instanceof Promise)) return say(reply);
    const written = reply.then(say).finally(() => {
      pending.delete(written);
      if (pending.size < PENDING_MAX && !output.writableNeedDrain) input.resume();
    });
    pending.add(written);
    if (pending.size >= PENDING_MAX) input.pause();
  };
  const say = (reply: Reply | undefined): void => {
    if (!isGone) write({ input, output }, reply);
  };
  input.on('data', (chunk: Buffer | string) => {
    for (const line of lines.push(Buffer.from(chunk))) answer(line);
  });
  // The last message may lack its line feed.
  input.once('end', () => answer(lines.end()));
  // Nobody is left to answer. Each write that was under way may fail, one after the other.
  output.on('error', () => {
    isGone = true;
    input.destroy();
  });
  const done = new Promise<void>((resolve) => {
    for (const event of ['end', 'error', 'close']) input.once(event, () => resolve());
  }).then(async () => {
    while (pending.size > 0) await Promise.all(pending);
    if (!isGone) await flush(output);
  });
  return {
    done,
    close: () => {
      input.destroy();
      return done;
    },
  };
}

/** A reader that takes nothing is waited for so long at the end, ms: less than a supervisor waits. */
const FLUSH_MS_MAX = 5_000;

/** Resolves when everything that was written is with the reader, or nobody is left to read it. */
function flush(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, FLUSH_MS_MAX).unref();
    output.once('error', () => resolve());
    output.once('close', () => resolve());
    output.write('', () => resolve());
  });
}

/** Whether there is no message in a line. */
export function isBlank(line: Buffer): boolean {
  return line.toString('latin1').trim() === '';
}

/**
 * Writes an answer; when the client reads slower than it asks, nothing more is read from it until it has
 * caught up.
 */
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
