/** Line feed. */
const NEWLINE = 0x0a;

/** How much is kept of both ends of a line over the limit, bytes: there its id is looked for. */
const END_BYTES = 1024;

/** What is left of a line over the limit. */
export interface LongLine {
  readonly head: Buffer;
  readonly tail: Buffer;
}

/** A line, or the ends of one over the limit. */
export type Line = Buffer | LongLine;

/** Cuts a stream of bytes into lines, and holds no more than one line of at most `bytesMax` bytes. */
export class LineSplitter {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** Of a line that is over the limit already. */
  #long: LongLine | undefined;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Takes the next bytes and returns the lines that they end, without their line feeds. */
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

  /** Returns what came after the last line feed; the next bytes start a new line. */
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
    // Copies, so that the chunks they lie in are let go.
    const held = Buffer.concat(this.#long === undefined ? this.#parts : [this.#long.tail, part]);
    const head = this.#long?.head ?? Buffer.from(held.subarray(0, END_BYTES));
    this.#long = { head, tail: Buffer.from(held.subarray(-END_BYTES)) };
    this.#parts = [];
  }
}
