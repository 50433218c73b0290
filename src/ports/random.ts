import { randomBytes, randomFillSync } from 'node:crypto';

/** Where the project gets unpredictable bytes from. Tests give their own. */
export interface Random {
  /** `length` fresh random bytes. */
  bytes(length: number): Uint8Array;
}

/**
 * Draws of up to so many bytes are taken from a larger one, which costs as much as a small one. Keys are
 * longer, and lie nowhere before they are drawn.
 */
const SMALL_MAX = 16;

const drawn = new Uint8Array(4096);
let taken = drawn.length;

/** The operating system's generator, through node:crypto. */
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
