import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortInSteps } from './scan.ts';

describe('sortInSteps()', () => {
  it('returns the same order as toSorted, including equal items', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(50), fc.nat()), { maxLength: 2_000, size: 'max' }), (items) => {
        const compare = (a: [number, number], b: [number, number]): number => a[0] - b[0];
        const steps = sortInSteps(items, compare);
        let step = steps.next();
        while (step.done !== true) step = steps.next();
        expect(step.value).toEqual(items.toSorted(compare));
      }),
      { numRuns: 30 },
    );
  });
});
