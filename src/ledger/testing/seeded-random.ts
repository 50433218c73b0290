import { SeededBytes } from '../../ports/random.ts';

/** Random bytes and numbers that are the same for the same seed. */
export class SeededRandom extends SeededBytes {
  /** Returns a whole number from 0 to `below` - 1. */
  integer(below: number): number {
    return Buffer.from(this.bytes(4)).readUInt32LE(0) % below;
  }
}
