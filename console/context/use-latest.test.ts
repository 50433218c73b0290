import { expect, it } from 'vitest';
import { LatestAnswer } from './use-latest.ts';

it('uses an answer although a newer request is in flight (bug: frequent events showed no answer)', () => {
  const latest = new LatestAnswer();
  const [first, second] = [latest.begin('wallet'), latest.begin('wallet')];
  expect([first(), second()]).toEqual([true, true]);
});

it('ignores an answer that arrives after a later one', () => {
  const latest = new LatestAnswer();
  const [first, second] = [latest.begin('wallet'), latest.begin('wallet')];
  expect([second(), first()]).toEqual([true, false]);
});

it('ignores answers of a previous reader', () => {
  const latest = new LatestAnswer();
  const owner = latest.begin('owner');
  const anyone = latest.begin('anyone');
  expect([owner(), anyone()]).toEqual([false, true]);
  latest.begin(null);
  expect(anyone()).toBe(false);
});

it('ignores answers from before another reader was used', () => {
  const latest = new LatestAnswer();
  const before = latest.begin('owner');
  const between = latest.begin('anyone');
  const again = latest.begin('owner');
  expect([before(), between(), again()]).toEqual([false, false, true]);
});
