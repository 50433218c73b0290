import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedRange } from './changed-range.ts';

const LENGTH = 20_000;

describe('changedRange()', () => {
  it('is the smallest range outside of which nothing changed', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(LENGTH - 1), { minLength: 1, maxLength: 4 }), (places) => {
        const after = new Uint8Array(LENGTH);
        for (const place of places) after[place] = 1;
        expect(changedRange(new Uint8Array(LENGTH), after)).toEqual({
          from: Math.min(...places),
          to: Math.max(...places) + 1,
        });
      }),
    );
  });

  it.each([0, 1, 4096, LENGTH])('is empty where %d bytes agree', (length) => {
    expect(changedRange(new Uint8Array(length), new Uint8Array(length))).toEqual({ from: 0, to: 0 });
  });
});
