import { expect, it } from 'vitest';
import { clockTime, spanOf } from './time.ts';

it('tells the time of day, UTC', () => {
  const ms = 1_795_303_947_702;
  expect([clockTime(ms), clockTime(ms, true)]).toEqual(['23:32:27', '23:32:27.702']);
  expect(new Date(ms).toISOString()).toContain(clockTime(ms, true));
});

it('tells how long something runs in its two largest units', () => {
  expect([0, 12_000, 3_600_000, 3_725_000, 90_061_000].map(spanOf)).toEqual([
    '0 s',
    '12 s',
    '1 h',
    '1 h 2 min',
    '1 d 1 h',
  ]);
});
