import { expect, it } from 'vitest';
import { mannWhitney } from './mann-whitney.ts';

it('returns z of the Mann-Whitney test', () => {
  // U = 0 of 9 pairs, and a standard deviation of the square root of 5.25.
  expect(mannWhitney([1, 2, 3], [4, 5, 6])).toBeCloseTo(-1.964, 3);
  expect(mannWhitney([4, 50, 600], [1, 2, 3])).toBeCloseTo(1.964, 3);
  expect(mannWhitney([1, 4, 5], [2, 3, 6])).toBeCloseTo(0.218 * -1, 3);
  expect(mannWhitney([7, 7], [7, 7, 7])).toBe(0);
});
