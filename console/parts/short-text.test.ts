import { expect, it } from 'vitest';
import { clockTime } from './short-text.ts';

it('formats the time of day in UTC', () => {
  const ms = 1_795_303_947_702;
  expect([clockTime(ms), clockTime(ms, true)]).toEqual(['23:32:27', '23:32:27.702']);
  expect(new Date(ms).toISOString()).toContain(clockTime(ms, true));
});
