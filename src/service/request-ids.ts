import type { Random } from '../ports/random.ts';

const ID_BYTES = 12;

/** Ids per draw of random bytes. One large draw costs as much as a small one. */
const IDS_PER_DRAW = 128;

/** Generates request ids. */
export class RequestIds {
  readonly #random: Random;
  #drawn: Buffer = Buffer.alloc(0);
  #usedBytes = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A new id: 16 characters of base64url. */
  next(): string {
    if (this.#usedBytes === this.#drawn.length) {
      this.#drawn = Buffer.from(this.#random.bytes(ID_BYTES * IDS_PER_DRAW));
      this.#usedBytes = 0;
    }
    const start = this.#usedBytes;
    this.#usedBytes += ID_BYTES;
    return this.#drawn.toString('base64url', start, this.#usedBytes);
  }
}
