import { describe, expect, it } from 'vitest';
import { HandTime } from '../chain/testing/hand-time.ts';
import { Reachability } from './gateway.ts';

function watch(): { reachability: Reachability; time: HandTime; questions: ((isUp: boolean) => void)[] } {
  const time = new HandTime();
  const questions: ((isUp: boolean) => void)[] = [];
  const reachability = new Reachability(
    time,
    () =>
      new Promise((resolve, reject) => {
        questions.push((isUp) => (isUp ? resolve(undefined) : reject(new Error('down'))));
      }),
  );
  return { reachability, time, questions };
}

describe('reachability', () => {
  it('is probed once for all callers within two seconds', async () => {
    const { reachability, time, questions } = watch();
    const answers = [reachability.isReachable(), reachability.isReachable()];
    questions[0]?.(false);
    expect(await Promise.all(answers)).toEqual([false, false]);
    await time.pass(1_999);
    expect(await reachability.isReachable()).toBe(false);
    expect(questions).toHaveLength(1);
    await time.pass(1);
    const again = reachability.isReachable();
    questions[1]?.(true);
    expect(await again).toBe(true);
    expect(await reachability.isReachable()).toBe(true);
    expect(questions).toHaveLength(2);
  });

  it('is probed again at once if the clock was set back after a failure', async () => {
    let now = 10_000;
    let questions = 0;
    const reachability = new Reachability({ now: () => now }, () =>
      (questions += 1) === 1 ? Promise.reject(new Error('down')) : Promise.resolve(),
    );
    expect(await reachability.isReachable()).toBe(false);
    now = 0;
    expect(await reachability.isReachable()).toBe(true);
  });
});
