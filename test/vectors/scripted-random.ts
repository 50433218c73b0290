import type { Random } from '../../src/ports/random.ts';

/** Gives the bytes of `draws` (hex), one after another, and fails on one too many or of another length. */
export function scriptedRandom(draws: readonly string[]): Random {
  const rest = draws.map((draw) => new Uint8Array(Buffer.from(draw, 'hex')));
  return {
    bytes(length) {
      const draw = rest.shift();
      if (draw?.length !== length) throw new Error(`${length} random bytes were not expected`);
      return draw;
    },
  };
}
