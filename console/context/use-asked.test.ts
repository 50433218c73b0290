import { expect, it } from 'vitest';
import { LatestAnswer } from './use-asked.ts';

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

it('takes no answer of somebody who is not asked any more', () => {
  const latest = new LatestAnswer();
  const owner = latest.begin('owner');
  const anybody = latest.begin('anybody');
  expect([owner(), anybody()]).toEqual([false, true]);
  latest.begin(null);
  expect(anybody()).toBe(false);
});

it('takes no answer from before somebody else was asked in between', () => {
  const latest = new LatestAnswer();
  const before = latest.begin('owner');
  const between = latest.begin('anybody');
  const again = latest.begin('owner');
  expect([before(), between(), again()]).toEqual([false, false, true]);
});
