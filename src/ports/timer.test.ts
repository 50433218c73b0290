import { describe, expect, it } from 'vitest';
import { systemTimer } from './timer.ts';

describe('systemTimer', () => {
  it('does not run a canceled call', async () => {
    const ran: string[] = [];
    const callOff = systemTimer.after(1, () => ran.push('called off'));
    callOff();
    await new Promise<void>((resolve) => {
      systemTimer.after(5, resolve);
    });
    expect(ran).toEqual([]);
  });
});
