/** Line feed. */
const NEWLINE = 0x0a;

/** A line, or `too-long` in place of one over the limit. */
export type Line = Buffer | 'too-long';

/** Cuts a stream of bytes into lines, and holds no more than one line of at most `bytesMax` bytes. */
export class LineSplitter {
  readonly #bytesMax: number;
  #parts: Buffer[] = [];
  #bytes = 0;

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
    const line = this.#bytes > this.#bytesMax ? 'too-long' : Buffer.concat(this.#parts);
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
