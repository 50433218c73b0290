import type { Random } from '../ports/random.ts';

const ID_BYTES = 12;

/** Ids from one draw of random bytes, which costs as much for many as for one. */
const IDS_PER_DRAW = 128;

/** Makes ids for requests. */
export class RequestIds {
  readonly #random: Random;
  #drawn: Buffer = Buffer.alloc(0);
  #usedBytes = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A fresh one: 16 characters of base64url. */
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
