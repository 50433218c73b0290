import { expect, it } from 'vitest';
import { BoundedSet } from './bounded-set.ts';

it('BoundedSet forgets what was added first, and nothing twice', () => {
  const set = new BoundedSet<number>(2);
  for (const number of [1, 2, 2, 3]) set.add(number);
  expect([1, 2, 3].filter((number) => set.has(number))).toEqual([2, 3]);
  set.clear();
  expect(set.has(3)).toBe(false);
});
