import { expect, it } from 'vitest';
import { MEMORY_FLAGS, nodeFlags } from './shared-ports.ts';

it.each([
  [['--inspect=0'], ['--inspect=0']],
  [['--inspect=0', '-e', 'code'], ['--inspect=0']],
  [['--eval=code'], []],
  [[], []],
])('passes the flags %j to the processes as %j (bug: evaluated code forked endlessly)', (given, passed) => {
  expect(nodeFlags(given)).toEqual([...MEMORY_FLAGS, ...passed]);
});
