import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { workTogether, writeTogether } from './turn.ts';

describe('workTogether', () => {
  it('works on all that arrived, and only then lets the answers go', async () => {
    const order: string[] = [];
    for (const name of ['a', 'b']) {
      workTogether(() => {
        order.push(`work ${name}`);
        writeTogether(() => order.push(`write ${name}`));
      });
    }
    expect(order).toEqual([]);
    await nextTurn();
    expect(order).toEqual(['work a', 'work b', 'write a', 'write b']);
  });

  it('takes what arrives while it works for the next turn', async () => {
    const order: string[] = [];
    workTogether(() => {
      workTogether(() => order.push('second'));
      order.push('first');
    });
    await nextTurn();
    expect(order).toEqual(['first']);
    await nextTurn();
    expect(order).toEqual(['first', 'second']);
  });
});

describe('writeTogether', () => {
  it('lets answers go that are ready later', async () => {
    const order: string[] = [];
    workTogether(() => void Promise.resolve().then(() => writeTogether(() => order.push('late'))));
    await nextTurn();
    await nextTurn();
    expect(order).toEqual(['late']);
  });
});
