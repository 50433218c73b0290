import type { Readable, Writable } from 'node:stream';
import type { Reply } from '../reply.ts';
import { LineSplitter, type Line } from './line-splitter.ts';

/** Pending answers per client. Input is paused while there are as many. */
const PENDING_MAX = 512;

/** The messages of one client, one per line, and the stream for the answers. */
export interface LineStreams {
  readonly input: Readable;
  /** Receives the answers and nothing else. */
  readonly output: Writable;
}

/** A running server over streams. */
export interface StdioServer {
  /** Resolves when the input has ended and every request is answered. */
  readonly done: Promise<void>;
  /** Stops reading, and resolves like `done`. */
  close(): Promise<void>;
}

/**
 * Reads messages line by line (MCP 2025-11-25, transports, stdio) and writes the answers in the order they
 * become ready.
 *
 * @param take answers a line, or returns undefined for no answer. It must not fail.
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
  // There is no reader any more. Each pending write may fail with an error event of its own.
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

/** How long to wait at the end for a reader that does not read, ms: less than a supervisor waits. */
const FLUSH_MS_MAX = 5_000;

/** Resolves when all output has been read, or when the reader is gone. */
function flush(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, FLUSH_MS_MAX).unref();
    output.once('error', () => resolve());
    output.once('close', () => resolve());
    output.write('', () => resolve());
  });
}

/** Whether a line has no message in it. */
export function isBlank(line: Buffer): boolean {
  return line.toString('latin1').trim() === '';
}

/**
 * Writes an answer. If the client reads more slowly than it asks, its input is paused until it catches up.
 */
function write({ input, output }: LineStreams, reply: Reply | undefined): void {
  if (reply?.body === undefined) return;
  output.cork();
  output.write(reply.body);
  const hasRoom = output.write('\n');
  output.uncork();
  if (hasRoom || input.isPaused()) return;
  input.pause();
  output.once('drain', () => input.resume());
}
