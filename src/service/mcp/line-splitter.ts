/** Line feed. */
const NEWLINE = 0x0a;

/** Bytes kept of each end of an overlong line, to look for its id. */
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
    // Copied, so that the chunks they lie in can be freed.
    const held = Buffer.concat(this.#long === undefined ? this.#parts : [this.#long.tail, part]);
    const head = this.#long?.head ?? Buffer.from(held.subarray(0, END_BYTES));
    this.#long = { head, tail: Buffer.from(held.subarray(-END_BYTES)) };
    this.#parts = [];
  }
}
