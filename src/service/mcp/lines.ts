import type { Readable, Writable } from 'node:stream';
import { readPlainJson } from '../../json/plain-json.ts';
import type { Reply } from '../reply.ts';
import { isMessageId, type MessageId } from './json-rpc.ts';

/** Maximum number of pending responses. Input is paused while they are reached. */
const PENDING_MAX = 512;

/** The messages of one client, one per line, and the stream for the responses. */
export interface LineStreams {
  readonly input: Readable;
  /** Receives only responses. */
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
 * Reads messages line by line (MCP 2025-11-25, transports, stdio) and writes the responses in the order in
 * which they become ready.
 *
 * @param take returns the response to a line, or undefined for none. It must not fail.
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
  // The reader is gone. Each pending write may emit an error.
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

/** How long to wait for a slow reader at the end, ms: less than a supervisor waits. */
const FLUSH_MS_MAX = 5_000;

/** Resolves when all output is read or the reader is gone. */
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

/** Line feed. */
const NEWLINE = 0x0a;

/** Bytes kept of each end of an overlong line, to find its id. */
const END_BYTES = 1024;

/** The kept ends of an overlong line. */
export interface LongLine {
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** A line, or the ends of an overlong one. */
export type Line = Buffer | LongLine;

/** Splits a byte stream into lines. Holds at most one line of `bytesMax` bytes. */
export class LineSplitter {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** The ends of the current line, once it is overlong. */
  #long: LongLine | undefined;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Adds bytes and returns the lines they complete, without line feeds. */
  push(chunk: Buffer): readonly Line[] {
    const lines: Line[] = [];
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
  end(): Line {
    const line = this.#long ?? Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    this.#long = undefined;
    return line;
  }

  #hold(part: Buffer): void {
    this.#bytes += part.length;
    if (part.length > 0) this.#parts.push(part);
    if (this.#bytes <= this.#bytesMax || part.length === 0) return;
    // Copied, so that the chunks can be freed.
    const held = Buffer.concat(this.#long === undefined ? this.#parts : [this.#long.tail, part]);
    const head = this.#long?.head ?? Buffer.from(held.subarray(0, END_BYTES));
    this.#long = { head, tail: Buffer.from(held.subarray(-END_BYTES)) };
    this.#parts = [];
  }
}

/** A JSON string or number, or null. */
const ID = String.raw`"id"\s*:\s*(null|-?[\d.eE+-]+|"(?:[^"\\]|\\.)*")\s*`;

/** Members with short values, in any order. */
const SHORT = String.raw`(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*`;

/** JSON-RPC libraries write the id before the long member, or after it with at most the version behind it. */
const AT_HEAD = new RegExp(String.raw`^\s*\{\s*${SHORT}${ID}[,}]`);
const AT_TAIL = new RegExp(String.raw`[,{]\s*${ID}(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`);

/** Returns the id of a message that is too long to be read, if its ends show it; otherwise null. */
export function findIdOf({ head, tail }: LongLine): MessageId {
  const start = head.toString('utf8');
  const found = AT_HEAD.exec(start) ?? (/^\s*\{/.test(start) ? AT_TAIL.exec(tail.toString('utf8')) : null);
  const json = readPlainJson(found?.[1] ?? 'null', 1);
  return json.fault === undefined && isMessageId(json.value) ? json.value : null;
}
