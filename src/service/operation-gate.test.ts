import { describe, expect, it } from 'vitest';
import { HandTimer } from '../ports/testing/hand-timer.ts';
import { OperationGate } from './served-operation.ts';

const hang = (): Promise<never> => new Promise(() => {});

describe('OperationGate', () => {
  it('settles like the work', async () => {
    const gate = new OperationGate();
    await expect(gate.run(async () => 7)).resolves.toBe(7);
    await expect(gate.run(() => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError);
  });

  it('rejects operations over the limit without starting them', async () => {
    const gate = new OperationGate({ inFlightMax: 2 });
    // They are given up long after the test.
    for (let count = 0; count < 2; count++) gate.run(hang).catch(() => undefined);
    let isStarted = false;
    const third = gate.run(async () => (isStarted = true));
    await expect(third).rejects.toMatchObject({ code: 'SERVICE_BUSY', httpStatus: 503 });
    expect(isStarted).toBe(false);
  });

  it.each([
    ['succeeds', async () => 1],
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

  it('times out each operation separately', async () => {
    const timer = new HandTimer();
    const gate = new OperationGate({ runTimeoutMs: 30 }, timer);
    const outcomes: string[] = [];
    const note = (name: string) => (error: { code: string }) => outcomes.push(`${name} ${error.code}`);
    const first = gate.run(hang).catch(note('first'));
    timer.pass(15);
    const second = gate.run(hang).catch(note('second'));
    timer.pass(15);
    await first;
    expect(timer.size).toBe(1);
    expect(outcomes).toEqual(['first OPERATION_TIMEOUT']);
    timer.pass(15);
    await second;
    expect(outcomes).toEqual(['first OPERATION_TIMEOUT', 'second OPERATION_TIMEOUT']);
  });

  it('ends operations that take too long', async () => {
    const gate = new OperationGate({ inFlightMax: 1, runTimeoutMs: 5 });
    await expect(gate.run(hang)).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT', httpStatus: 504 });
    await expect(gate.run(async () => 'next')).resolves.toBe('next');
  });

  it('frees the place of an ended operation once', async () => {
    const timer = new HandTimer();
    const gate = new OperationGate({ inFlightMax: 1, runTimeoutMs: 20 }, timer);
    let end = (_result: string): void => {};
    const late = gate.run(() => new Promise<string>((resolve) => (end = resolve)));
    timer.pass(20);
    await expect(late).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT' });
    const next = gate.run(hang);
    end('too late');
    await Promise.resolve();
    await expect(gate.run(hang)).rejects.toMatchObject({ code: 'SERVICE_BUSY' });
    timer.pass(20);
    await expect(next).rejects.toMatchObject({ code: 'OPERATION_TIMEOUT' });
  });

  it('leaves no timer behind', async () => {
    const countTimers = (): number =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = countTimers();
    await new OperationGate().run(async () => 1);
    expect(countTimers()).toBe(before);
  });
});
