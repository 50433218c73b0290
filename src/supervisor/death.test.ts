import { describe, expect, it } from 'vitest';
import { type Death, describeDeath, exitCodeOf, isAccident } from './restart-policy.ts';

const by = (end: Partial<Death>): Death => ({ exitCode: null, signal: null, readyForMs: null, ...end });

describe('the exit of a process', () => {
  it.each([
    [by({ signal: 'SIGABRT' }), true, 134, 'SIGABRT'],
    [by({ signal: 'SIGSEGV' }), true, 139, 'SIGSEGV'],
    [by({ signal: 'SIGKILL' }), true, 137, 'SIGKILL'],
    [by({ signal: 'SIGTERM' }), false, 143, 'SIGTERM'],
    [by({ exitCode: 0 }), false, 0, 'exit code 0'],
    [by({ exitCode: 1 }), true, 1, 'exit code 1'],
    [by({ exitCode: 7 }), true, 7, 'exit code 7'],
    [by({ exitCode: 78 }), false, 78, 'exit code 78'],
    [
      by({ signal: 'SIGKILL', silentMs: 5_900 }),
      true,
      137,
      'SIGKILL, by the supervisor, after no heartbeat for 5 s',
    ],
    [by({ startFault: 'ENOMEM' }), true, 1, 'ENOMEM, which prevented its start'],
  ])('%j: accident %s, exit code %i, "%s"', (death, accident, exitCode, words) => {
    expect([isAccident(death), exitCodeOf(death), describeDeath(death)]).toEqual([accident, exitCode, words]);
  });
});
