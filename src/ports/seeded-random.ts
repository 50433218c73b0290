import { createHash } from 'node:crypto';
import type { Random } from './random.ts';

/**
 * Bytes that are the same for the same seed, whatever the machine: the SHA-256 of the seed and a counter, one
 * block of 32 bytes after the other. Whoever knows the seed knows every key that is drawn from it.
 */
export class SeededBytes implements Random {
  readonly #seed: string;
  #drawn: number;

  /** @param drawn how many blocks were drawn before. */
  constructor(seed: string, drawn = 0) {
    this.#seed = seed;
    this.#drawn = drawn;
  }

  /** How many blocks were drawn. */
  get drawn(): number {
    return this.#drawn;
  }

  bytes(length: number): Uint8Array {
    const blocks: Buffer[] = [];
    for (let size = 0; size < length; size += 32) {
      blocks.push(
        createHash('sha256')
          .update(`${this.#seed}/${this.#drawn++}`)
          .digest(),
      );
    }
    return new Uint8Array(Buffer.concat(blocks).subarray(0, length));
  }
}
