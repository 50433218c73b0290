import { expect, it } from 'vitest';
import { atMostEvery } from './at-most.ts';

it('a burst of events causes one reload at its start and one after each pause', () => {
  const timers: { readonly ms: number; readonly run: () => void }[] = [];
  let runs = 0;
  const ask = atMostEvery(
    1_000,
    (ms, run) => void timers.push({ ms, run }),
    () => {
      runs += 1;
    },
  );
  const rest = (): void => timers.shift()?.run();
  for (let events = 0; events < 100; events += 1) ask();
  expect([runs, timers.map(({ ms }) => ms)]).toEqual([1, [1_000]]);
  rest();
  expect([runs, timers.length]).toEqual([2, 1]);
  rest();
  expect([runs, timers.length]).toEqual([2, 0]);
  ask();
  expect([runs, timers.length]).toEqual([3, 1]);
});
