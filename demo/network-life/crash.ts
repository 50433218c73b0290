/** When the stack is killed. */
export interface Crash {
  /** The transaction during or after which it happens: which one of all that are sent, from 1. */
  readonly at: number;
  /** How long after it was sent, ms. */
  readonly delayMs: number;
}

/** Longest time between a transaction and the kill, ms: a payment of one part takes about that long. */
const DELAY_MS_MAX = 1_500;

/** A crash at one of `count` transactions after the first `before`; the same seed makes the same crash. */
export function crashOf(seed: number, before: number, count: number): Crash {
  const draw = drawsOf(seed);
  return { at: before + 1 + Math.floor(draw() * count), delayMs: Math.floor(draw() * DELAY_MS_MAX) };
}

/** Numbers from 0 to below 1 (mulberry32). */
function drawsOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
