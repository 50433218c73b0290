import { createHash } from 'node:crypto';
import type { Random } from '../../ports/random.ts';

/** Random bytes that are the same for the same seed. */
export class SeededRandom implements Random {
  readonly #seed: string;
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  bytes(length: number): Uint8Array {
    const blocks: Buffer[] = [];
    for (let size = 0; size < length; size += 32) {
      blocks.push(
        createHash('sha256')
          .update(`${this.#seed}/${this.#count++}`)
          .digest(),
      );
    }
    return new Uint8Array(Buffer.concat(blocks).subarray(0, length));
  }

  /** A whole number from 0 to `below` - 1. */
  integer(below: number): number {
    return Buffer.from(this.bytes(4)).readUInt32LE(0) % below;
  }
}
