import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HTTP_LIMITS } from './limits.ts';
import { isTurnOver, nextTurn, workTogether, writeTogether } from './turn.ts';

/** A turn is then never over, however slow the machine is. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('workTogether', () => {
  it('runs all arrived requests before it writes responses', async () => {
    stopTime();
    const order: string[] = [];
    for (const name of ['a', 'b']) {
      workTogether('a', () => {
        order.push(`work ${name}`);
        writeTogether(() => order.push(`write ${name}`));
      });
    }
    expect(order).toEqual([]);
    await nextTick();
    expect(order).toEqual(['work a', 'work b', 'write a', 'write b']);
  });

  it('runs requests that arrive meanwhile in the next turn', async () => {
    const order: string[] = [];
    workTogether('a', () => {
      workTogether('a', () => order.push('second'));
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

describe('long work', () => {
  it('writes earlier responses first (bug: forty heavy calls ran before the first response)', async () => {
    const order: string[] = [];
    const work = (name: string) => () => {
      order.push(`work ${name}`);
      workHard();
      writeTogether(() => order.push(`write ${name}`));
    };
    workTogether('a', work('a'));
    workTogether('a', () => {
      workTogether('a', work('c'));
      work('b')();
    });
    for (let turn = 0; turn < 4; turn++) await nextTick();
    expect(order).toEqual(['work a', 'write a', 'work b', 'write b', 'work c', 'write c']);
  });

  it('continues one piece per turn, with new requests in between', async () => {
    const order: string[] = [];
    const pieces = ['a', 'b'].map(async (name) => {
      await nextTurn('a');
      order.push(name);
      expect(isTurnOver()).toBe(false);
      workHard();
      if (name === 'a') workTogether('a', () => order.push('arrival'));
    });
    await Promise.all(pieces);
    await nextTick();
    expect(order.toSorted()).toEqual(['a', 'arrival', 'b']);
    expect(order.indexOf('a')).toBe(0);
  });
});

describe('clients that share turns', () => {
  it('are served in turn (bug: all requests of one client were served before those of another)', async () => {
    stopTime();
    const order: string[] = [];
    for (let count = 0; count < 64; count++) workTogether('noisy', () => order.push('noisy'));
    workTogether('quiet', () => order.push('quiet'));
    await nextTick();
    expect(order.indexOf('quiet')).toBe(1);
    expect(order).toHaveLength(65);
  });

  it('resume long work in turn (bug: forty batches of one client were served before one of another)', async () => {
    const order: string[] = [];
    const goOn = (client: string): Promise<void> => nextTurn(client).then(() => void order.push(client));
    await Promise.all([...Array.from({ length: 40 }, () => goOn('noisy')), goOn('quiet')]);
    expect(order.indexOf('quiet')).toBe(1);
    expect(order).toHaveLength(41);
  });

  it('have their sockets read sooner than a single client', async () => {
    stopTime();
    /** How many pieces of work of 0.25 ms are done in a turn. */
    const countInTurn = async (...clients: readonly string[]): Promise<number> => {
      const done: string[] = [];
      for (let number = 0; number < 200; number++) {
        const client = clients[number % clients.length] as string;
        workTogether(client, () => {
          vi.advanceTimersByTime(0.25);
          done.push(client);
        });
      }
      await nextTick();
      const inTurn = done.length;
      while (done.length < 200) await nextTick();
      return inTurn;
    };
    await countInTurn('noisy');
    vi.advanceTimersByTime(HTTP_LIMITS.sharedForMs);
    expect(await countInTurn('noisy')).toBe(HTTP_LIMITS.turnMs * 4);
    expect(await countInTurn('noisy', 'quiet')).toBe(HTTP_LIMITS.sharedTurnMs * 4);
    // The other may ask again.
    expect(await countInTurn('noisy')).toBe(HTTP_LIMITS.sharedTurnMs * 4);
    vi.advanceTimersByTime(HTTP_LIMITS.sharedForMs);
    expect(await countInTurn('noisy')).toBe(HTTP_LIMITS.turnMs * 4);
  });
});

describe('writeTogether', () => {
  it('writes responses that are ready later', async () => {
    const order: string[] = [];
    workTogether('a', () => void Promise.resolve().then(() => writeTogether(() => order.push('late'))));
    await nextTick();
    await nextTick();
    expect(order).toEqual(['late']);
  });
});
