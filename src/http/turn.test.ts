import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isTurnOver, nextTurn, workTogether, writeTogether } from './turn.ts';

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
    await nextTick();
    expect(order).toEqual(['work a', 'work b', 'write a', 'write b']);
  });

  it('takes what arrives while it works for the next turn', async () => {
    const order: string[] = [];
    workTogether(() => {
      workTogether(() => order.push('second'));
      order.push('first');
    });
    await nextTick();
    expect(order).toEqual(['first']);
    await nextTick();
    expect(order).toEqual(['first', 'second']);
  });
});

/** Keeps the processor busy until the turn is over. */
function workHard(): void {
  while (!isTurnOver());
}

describe('work that takes long', () => {
  it('lets the answers before it go (bug: forty heavy calls were all worked on before the first answer)', async () => {
    const order: string[] = [];
    const work = (name: string) => () => {
      order.push(`work ${name}`);
      workHard();
      writeTogether(() => order.push(`write ${name}`));
    };
    workTogether(work('a'));
    workTogether(() => {
      workTogether(work('c'));
      work('b')();
    });
    for (let turn = 0; turn < 4; turn++) await nextTick();
    expect(order).toEqual(['work a', 'write a', 'work b', 'write b', 'work c', 'write c']);
  });

  it('goes on one piece in each turn, and what arrives has its run in between', async () => {
    const order: string[] = [];
    const pieces = ['a', 'b'].map(async (name) => {
      await nextTurn();
      order.push(name);
      expect(isTurnOver()).toBe(false);
      workHard();
      if (name === 'a') workTogether(() => order.push('arrival'));
    });
    await Promise.all(pieces);
    await nextTick();
    expect(order.toSorted()).toEqual(['a', 'arrival', 'b']);
    expect(order.indexOf('a')).toBe(0);
  });
});

describe('writeTogether', () => {
  it('lets answers go that are ready later', async () => {
    const order: string[] = [];
    workTogether(() => void Promise.resolve().then(() => writeTogether(() => order.push('late'))));
    await nextTick();
    await nextTick();
    expect(order).toEqual(['late']);
  });
});
