import { describe, expect, it } from 'vitest';
import { HandTimer } from '../ports/testing/hand-timer.ts';
import { type GateTime, OperationGate } from './operation-gate.ts';

const hang = (): Promise<never> => new Promise(() => {});

/** Time that passes only as far as the test lets it. */
function standingTime(): GateTime & { readonly timer: HandTimer } {
  const timer = new HandTimer();
  return { clock: timer, timer };
}

describe('OperationGate', () => {
  it('settles as the work does', async () => {
    const gate = new OperationGate();
    await expect(gate.run(async () => 7)).resolves.toBe(7);
    await expect(gate.run(() => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError);
  });

  it('refuses at once what is over the number that may run, without starting it', async () => {
    const gate = new OperationGate({ inFlightMax: 2 });
    // They are given up long after the test.
    for (let count = 0; count < 2; count++) gate.run(hang).catch(() => undefined);
    let isStarted = false;
    const third = gate.run(async () => (isStarted = true));
    await expect(third).rejects.toMatchObject({ code: 'SERVICE_BUSY', httpStatus: 503 });
    expect(isStarted).toBe(false);
  });

  it.each([
    ['ends well', async () => 1],
    ['fails', () => Promise.reject(new Error('no'))],
    [
      'throws before it waits',
      () => {
        throw new Error('no');
      },
    ],
  ])('makes room when work %s', async (_name, work) => {
    const gate = new OperationGate({ inFlightMax: 1 });
    await gate.run<unknown>(work).catch(() => undefined);
    await expect(gate.run(async () => 'next')).resolves.toBe('next');
  });

  it('gives up each in its own time, though one timer watches all', async () => {
    const time = standingTime();
    const gate = new OperationGate({ runTimeoutMs: 30 }, time);
    const outcomes: string[] = [];
    const note = (name: string) => (error: { code: string }) => outcomes.push(`${name} ${error.code}`);
    const first = gate.run(hang).catch(note('first'));
    time.timer.pass(15);
    const second = gate.run(hang).catch(note('second'));
    time.timer.pass(15);
    await first;
    expect(time.timer.size).toBe(1);
    expect(outcomes).toEqual(['first OPERATION_TIMEOUT']);
    time.timer.pass(15);
    await second;
    expect(outcomes).toEqual(['first OPERATION_TIMEOUT', 'second OPERATION_TIMEOUT']);
  });

  it('gives up what takes too long, and makes room', async () => {
    const gate = new OperationGate({ inFlightMax: 1, runTimeoutMs: 5 });
    await expect(gate.run(hang)).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT', httpStatus: 504 });
    await expect(gate.run(async () => 'next')).resolves.toBe('next');
  });

  it('makes room once for work that ends after it was given up', async () => {
    const time = standingTime();
    const gate = new OperationGate({ inFlightMax: 1, runTimeoutMs: 20 }, time);
    let end = (_result: string): void => {};
    const late = gate.run(() => new Promise<string>((resolve) => (end = resolve)));
    time.timer.pass(20);
    await expect(late).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT' });
    const next = gate.run(hang);
    end('too late');
    await Promise.resolve();
    await expect(gate.run(hang)).rejects.toMatchObject({ code: 'SERVICE_BUSY' });
    time.timer.pass(20);
    await expect(next).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT' });
  });

  it('keeps no process alive', async () => {
    const countTimers = (): number =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = countTimers();
    await new OperationGate().run(async () => 1);
    expect(countTimers()).toBe(before);
  });
});
