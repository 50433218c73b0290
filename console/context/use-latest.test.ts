import { expect, it } from 'vitest';
import { LatestAnswer } from './use-latest.ts';

it('takes the answer to a question after which another was asked (bug: with an event a moment none was shown)', () => {
  const latest = new LatestAnswer();
  const [first, second] = [latest.begin('wallet'), latest.begin('wallet')];
  expect([first(), second()]).toEqual([true, true]);
});

it('takes no answer after a later one', () => {
  const latest = new LatestAnswer();
  const [first, second] = [latest.begin('wallet'), latest.begin('wallet')];
  expect([second(), first()]).toEqual([true, false]);
});

it('takes no answer of someone who is not asked any more', () => {
  const latest = new LatestAnswer();
  const owner = latest.begin('owner');
  const anyone = latest.begin('anyone');
  expect([owner(), anyone()]).toEqual([false, true]);
  latest.begin(null);
  expect(anyone()).toBe(false);
});

it('takes no answer from before someone else was asked in between', () => {
  const latest = new LatestAnswer();
  const before = latest.begin('owner');
  const between = latest.begin('anyone');
  const again = latest.begin('owner');
  expect([before(), between(), again()]).toEqual([false, false, true]);
});
