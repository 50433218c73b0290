import { describe, expect, it } from 'vitest';
import {
  type Death,
  FAILED_STARTS_MAX,
  HELD_STARTS_MAX,
  RECOVERED_MS,
  RestartPolicy,
  type Decision,
} from './restart-policy.ts';

const abort = (readyForMs: number | null): Death => ({ exitCode: null, signal: 'SIGABRT', readyForMs });
const exit = (exitCode: number, readyForMs: number | null): Death => ({ exitCode, signal: null, readyForMs });

const delayOf = (decision: Decision): number | string =>
  decision.action === 'restart' ? decision.delayMs : decision.action;

describe('RestartPolicy', () => {
  it('restarts at once, then with growing delays while crashes continue', () => {
    const policy = new RestartPolicy();
    const delays = Array.from({ length: 10 }, () => delayOf(policy.decide(abort(10))));
    expect(delays).toEqual([0, 50, 100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  });

  it('restarts at once again after a process has recovered', () => {
    const policy = new RestartPolicy();
    for (let death = 0; death < 5; death++) policy.decide(abort(RECOVERED_MS - 1));
    expect(policy.decide(abort(RECOVERED_MS))).toEqual({ action: 'restart', delayMs: 0 });
    expect(policy.decide(abort(1))).toEqual({ action: 'restart', delayMs: 50 });
  });

  it('gives up after too many crashes in a row before it was ready', () => {
    const policy = new RestartPolicy();
    for (let death = 1; death < FAILED_STARTS_MAX; death++) {
      expect(policy.decide(abort(null)).action).toBe('restart');
    }
    expect(policy.decide(abort(null))).toEqual({ action: 'give-up', deaths: FAILED_STARTS_MAX });
  });

  it('never gives up if the process was ready in between', () => {
    const policy = new RestartPolicy();
    for (let round = 0; round < 20; round++) {
      for (let death = 1; death < FAILED_STARTS_MAX; death++) {
        expect(policy.decide(abort(null)).action).toBe('restart');
      }
      expect(policy.decide(abort(0)).action).toBe('restart');
    }
  });

  it('treats an exception as final before it was ever ready, and as a crash later', () => {
    expect(new RestartPolicy().decide(exit(1, null))).toEqual({ action: 'end', exitCode: 1 });
    const policy = new RestartPolicy();
    expect(policy.decide(exit(1, 5)).action).toBe('restart');
    expect(policy.decide(exit(1, null)).action).toBe('restart');
  });

  it.each([
    [exit(0, 5), 0],
    [exit(78, null), 78],
    [exit(130, 5), 130],
    [{ exitCode: null, signal: 'SIGTERM', readyForMs: 5 } as const, 143],
    [{ exitCode: null, signal: 'SIGINT', readyForMs: null } as const, 130],
  ])('passes %j on as %i', (death, exitCode) => {
    expect(new RestartPolicy().decide(death)).toEqual({ action: 'end', exitCode });
  });

  it('retries for two minutes at a restart if a port or the folder is in use', () => {
    const policy = new RestartPolicy();
    policy.decide(abort(10));
    const decisions = Array.from({ length: HELD_STARTS_MAX }, () => policy.decide(exit(75, null)));
    expect(decisions.pop()).toEqual({ action: 'end', exitCode: 75 });
    const waits = decisions.map((decision) =>
      decision.action === 'restart' ? decision.delayMs : Number.NaN,
    );
    expect(waits.slice(0, 8)).toEqual([50, 100, 200, 400, 800, 1600, 3200, 5000]);
    expect(waits.reduce((sum, wait) => sum + wait)).toBeGreaterThan(110_000);
  });

  it('counts again after a restart that found nothing in use', () => {
    const policy = new RestartPolicy();
    policy.decide(abort(10));
    for (let round = 0; round < 2; round++) {
      for (let start = 1; start < HELD_STARTS_MAX; start++) {
        expect(policy.decide(exit(75, null)).action).toBe('restart');
      }
      expect(policy.decide(abort(10)).action).toBe('restart');
    }
  });

  it('does not retry if something is in use at the first start', () => {
    expect(new RestartPolicy().decide(exit(75, null))).toEqual({ action: 'end', exitCode: 75 });
  });

  it('retries if the system could not start a process', () => {
    const fault: Death = { exitCode: null, signal: null, startFault: 'EAGAIN', readyForMs: null };
    expect(new RestartPolicy().decide(fault)).toEqual({ action: 'restart', delayMs: 0 });
  });
});
