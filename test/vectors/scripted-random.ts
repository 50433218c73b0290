import type { Random } from '../../src/ports/random.ts';

/** Returns the bytes of `draws` (hex) in order. Fails if there are no more or the length differs. */
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
