import type { Readable, Writable } from 'node:stream';
import { readJson } from '../json-body.ts';
import { bodyTooLarge } from '../refusal.ts';
import type { Reply } from '../reply.ts';
import { readMessage, refuseRequest, writeRpcRefusal } from './json-rpc.ts';

/** Maximum message size, in bytes. It is the same over HTTP. */
const MESSAGE_BYTES_MAX = 64 * 1024;

/**
 * Maximum line length, in bytes. It exceeds {@link MESSAGE_BYTES_MAX}, so that the error for a message that
 * is too large can contain its id.
 */
const LINE_BYTES_MAX = 1024 * 1024;

/** Maximum number of pending responses. Input pauses at this limit. */
const PENDING_MAX = 512;

/** The messages of one client, one per line, and the stream for the responses. */
export interface LineStreams {
  readonly input: Readable;
  /** The stream for the responses, and for nothing else. */
  readonly output: Writable;
}

/** A running server over streams. */
export interface StdioServer {
  /** Resolves when the input has ended and every response is written. */
  readonly done: Promise<void>;
  /** Stops reading, and resolves like `done`. */
  close(): Promise<void>;
}

/**
 * Reads messages line by line (MCP 2025-11-25, transports, stdio) and writes each response when it is ready.
 *
 * @param serve returns the response to the JSON value of a line, or undefined for none. It must not fail.
 */
export function serveLines(
  { input, output }: LineStreams,
  serve: (message: unknown, line: Buffer) => Promise<Reply | undefined>,
): StdioServer {
  const pending = new Set<Promise<void>>();
  const lines = new LineSplitter(LINE_BYTES_MAX);
  let isGone = false;
  const answer = (line: Buffer | undefined): void => {
    const reply = take(line, serve);
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
  // The last message may lack a line feed.
  input.once('end', () => answer(lines.end()));
  // The reader has disconnected. Each pending write may emit an error.
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

/** Timeout for a slow reader at the end, in ms. It is shorter than the supervisor's. */
const FLUSH_MS_MAX = 5_000;

/** Resolves when all output is read or the reader has disconnected. */
function flush(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, FLUSH_MS_MAX).unref();
    output.once('error', () => resolve());
    output.once('close', () => resolve());
    output.write('', () => resolve());
  });
}

function take(
  line: Buffer | undefined,
  serve: (message: unknown, line: Buffer) => Promise<Reply | undefined>,
): Reply | undefined | Promise<Reply | undefined> {
  if (line === undefined) return refuseRequest(bodyTooLarge(MESSAGE_BYTES_MAX), null);
  if (line.toString('latin1').trim() === '') return undefined;
  const { value, refusal } = readJson(line);
  if (line.length > MESSAGE_BYTES_MAX) {
    const message = readMessage(value);
    return refuseRequest(bodyTooLarge(MESSAGE_BYTES_MAX), message?.kind === 'request' ? message.id : null);
  }
  return refusal === undefined ? serve(value, line) : writeRpcRefusal(refusal);
}

/** Writes a response. Pauses the input of a client that reads too slowly until it catches up. */
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

/** The byte of a line feed. */
const NEWLINE = 0x0a;

/** Splits a byte stream into lines. Buffers at most one line of `bytesMax` bytes. */
export class LineSplitter {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * Adds bytes and returns the lines that they complete, without line feeds; undefined for a line over the
   * size limit.
   */
  push(chunk: Buffer): readonly (Buffer | undefined)[] {
    const lines: (Buffer | undefined)[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#hold(chunk.subarray(start, end));
      lines.push(this.end());
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
    return lines;
  }

  /** Returns the text after the last line feed. The next bytes start a new line. */
  end(): Buffer | undefined {
    const line = this.#bytes > this.#bytesMax ? undefined : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return line;
  }

  #hold(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#bytesMax) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }
}
