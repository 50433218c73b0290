import { createHash, randomBytes, randomFillSync } from 'node:crypto';

/** The source of randomness. Tests inject their own. */
export interface Random {
  /** Returns `length` new random bytes. */
  bytes(length: number): Uint8Array;
}

/** Maximum size of draws served from a shared buffer. Keys are longer, so they never pass through it. */
const SMALL_MAX = 16;

const drawn = new Uint8Array(4096);
let taken = drawn.length;

/** The generator of the operating system, through node:crypto. */
export const systemRandom: Random = {
  bytes: (length) => (length <= SMALL_MAX ? smallDraw(length) : new Uint8Array(randomBytes(length))),
};

function smallDraw(length: number): Uint8Array {
  if (taken + length > drawn.length) {
    randomFillSync(drawn);
    taken = 0;
  }
  const bytes = drawn.slice(taken, taken + length);
  taken += length;
  return bytes;
}

/**
 * Generates the same bytes from the same seed on every machine. Each block of 32 bytes is the SHA-256 of the
 * seed and a counter. Anyone with the seed can compute every key drawn from it.
 */
export class SeededBytes implements Random {
  readonly #seed: string;
  #blocks: number;

  /** @param blocks number of blocks already drawn. */
  constructor(seed: string, blocks = 0) {
    this.#seed = seed;
    this.#blocks = blocks;
  }

  /** Number of blocks drawn so far. */
  get drawn(): number {
    return this.#blocks;
  }

  bytes(length: number): Uint8Array {
    const blocks: Buffer[] = [];
    for (let size = 0; size < length; size += 32) {
      blocks.push(
        createHash('sha256')
          .update(`${this.#seed}/${this.#blocks++}`)
          .digest(),
      );
    }
    return new Uint8Array(Buffer.concat(blocks).subarray(0, length));
  }
}
