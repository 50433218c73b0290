import { describe, expect, it } from 'vitest';
import { systemTimer } from './timer.ts';

describe('systemTimer', () => {
  it('runs what is due, and not what was called off', async () => {
    const ran: string[] = [];
    const callOff = systemTimer.after(1, () => ran.push('called off'));
    callOff();
    await new Promise<void>((resolve) => {
      systemTimer.after(5, resolve);
    });
    expect(ran).toEqual([]);
  });
});
