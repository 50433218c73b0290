import { expect, it } from 'vitest';
import { HandTimer } from '../ports/testing/hand-timer.ts';
import { ORPHAN_MS_MAX, PARENT_LOOK_MS, watchParent } from './stop-signals.ts';

/**
 * What was called when the parent went away, and when that had been for the longest time an orderly end may
 * take.
 */
function callsOf(env: NodeJS.ProcessEnv): string[][] {
  const timer = new HandTimer();
  const calls: string[] = [];
  let parent = 4711;
  const handlers = { first: () => void calls.push('first'), again: () => void calls.push('again') };
  watchParent(handlers, { timer, parentPid: () => parent, env });
  timer.pass(10 * PARENT_LOOK_MS);
  const before = [...calls];
  parent = 1;
  timer.pass(PARENT_LOOK_MS);
  const noticed = [...calls];
  timer.pass(ORPHAN_MS_MAX);
  return [before, noticed, calls];
}

it('shuts down a process of npx when npx exits, and kills it if that takes too long', () => {
  expect(callsOf({ npm_command: 'exec' })).toEqual([[], ['first'], ['first', 'again']]);
  expect(PARENT_LOOK_MS + ORPHAN_MS_MAX).toBeLessThan(5_000);
});

it('does not end a process that a shell started', () => {
  expect(callsOf({})).toEqual([[], [], []]);
});
