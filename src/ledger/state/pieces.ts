import { type ByteRange, changedRange } from './changed-range.ts';

/** Bytes of a piece, and so what replacing a single byte copies. */
const PIECE_BYTES = 8 * 1024;

/**
 * Bytes that never change, cut into pieces. What is made of them with some bytes replaced shares all other
 * pieces with them, so that making it, and telling the two apart, costs by what was replaced.
 */
export class Pieces {
  readonly length: number;
  /** All of them but the last are {@link PIECE_BYTES} long; null until they are needed. */
  #pieces: readonly Uint8Array[] | null;
  /** Null until somebody asks for it. One of the two is always there. */
  #whole: Uint8Array | null;

  private constructor(length: number, pieces: readonly Uint8Array[] | null, whole: Uint8Array | null) {
    this.length = length;
    this.#pieces = pieces;
    this.#whole = whole;
  }

  /** @param whole is shared, and must not be changed. */
  static of(whole: Uint8Array): Pieces {
    return new Pieces(whole.length, null, whole);
  }

  /** All in one array, which must not be changed; put together when it is asked for first. */
  get whole(): Uint8Array {
    return (this.#whole ??= this.#join());
  }

  /** These bytes with those from `at` on replaced, for which there has to be room. */
  with(at: number, bytes: Uint8Array): Pieces {
    const pieces = [...this.#split()];
    let done = 0;
    while (done < bytes.length) {
      const index = Math.floor((at + done) / PIECE_BYTES);
      const from = at + done - index * PIECE_BYTES;
      const part = bytes.subarray(done, done + PIECE_BYTES - from);
      const piece = new Uint8Array(pieces[index] as Uint8Array);
      piece.set(part, from);
      pieces[index] = piece;
      done += part.length;
    }
    return new Pieces(this.length, pieces, null);
  }

  /** A copy of those from `from` to before `to`. */
  slice(from: number, to: number): Uint8Array {
    const slice = new Uint8Array(to - from);
    let at = from;
    while (at < to) {
      const index = Math.floor(at / PIECE_BYTES);
      const piece = this.#split()[index] as Uint8Array;
      const part = piece.subarray(at - index * PIECE_BYTES, to - index * PIECE_BYTES);
      slice.set(part, at - from);
      at += part.length;
    }
    return slice;
  }

  /** Whether others are the same bytes; pieces that both have are not looked at. */
  equals(others: Pieces): boolean {
    if (this.length !== others.length) return false;
    const pieces = others.#split();
    return this.#split().every((piece, index) => agree(piece, pieces[index] as Uint8Array));
  }

  /** {@link changedRange} from these to as many others; pieces that both have are not looked at. */
  changedRange(after: Pieces): ByteRange {
    const [old, now] = [this.#split(), after.#split()];
    const isChanged = (piece: Uint8Array, index: number): boolean => !agree(piece, now[index] as Uint8Array);
    const first = old.findIndex(isChanged);
    if (first < 0) return { from: 0, to: 0 };
    const last = old.findLastIndex(isChanged);
    const rangeOf = (index: number): ByteRange =>
      changedRange(old[index] as Uint8Array, now[index] as Uint8Array);
    return { from: first * PIECE_BYTES + rangeOf(first).from, to: last * PIECE_BYTES + rangeOf(last).to };
  }

  #split(): readonly Uint8Array[] {
    return (this.#pieces ??= Array.from({ length: Math.ceil(this.length / PIECE_BYTES) }, (_, index) =>
      this.whole.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
    ));
  }

  /** The pieces are let go of, so that memory has the bytes once; they are cut from the whole again. */
  #join(): Uint8Array {
    const whole = new Uint8Array(this.length);
    for (const [index, piece] of this.#split().entries()) whole.set(piece, index * PIECE_BYTES);
    this.#pieces = null;
    return whole;
  }
}

function agree(old: Uint8Array, now: Uint8Array): boolean {
  return old === now || Buffer.compare(old, now) === 0;
}
