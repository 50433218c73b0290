import { expect, it } from 'vitest';
import { spanOf } from './span.ts';

it('tells how long something runs in its two largest units', () => {
  expect([0, 12_000, 3_600_000, 3_725_000, 90_061_000].map(spanOf)).toEqual([
    '0 s',
    '12 s',
    '1 h',
    '1 h 2 min',
    '1 d 1 h',
  ]);
});
