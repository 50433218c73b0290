import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

/** Takes out all there is. */
function drain(queue: FairQueue<string>): string[] {
  return Array.from({ length: queue.size }, () => queue.shift() as string);
}

function queueOf(...items: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.push(item.charAt(0), item);
  return queue;
}

describe('FairQueue', () => {
  it('serves one item of each client, and then the next of each', () => {
    expect(drain(queueOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1'))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('serves a newcomer after at most one item of each other client, whatever they have', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1', 'b2', 'b3');
    expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(['a1', 'b1', 'a2']);
    queue.push('c', 'c1');
    expect(drain(queue)).toEqual(['b2', 'a3', 'c1', 'b3']);
  });

  it('skips clients that may not have a turn now, and keeps their items', () => {
    const queue = queueOf('a1', 'b1', 'b2');
    expect(queue.shift((client) => client === 'b')).toBe('b1');
    expect(queue.shift((client) => client === 'c')).toBeUndefined();
    expect(drain(queue)).toEqual(['a1', 'b2']);
  });

  it('removes matching items and keeps the order of the others', () => {
    const queue = queueOf('a1', 'a2', 'b1', 'a3', 'b2');
    expect(queue.shift()).toBe('a1');
    expect(queue.take((item) => item === 'b1' || item === 'a2').toSorted()).toEqual(['a2', 'b1']);
    expect([queue.size, drain(queue)]).toEqual([2, ['b2', 'a3']]);
  });

  it('keeps the order of each client and loses no item', () => {
    const steps = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), fc.constant(undefined)), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(steps, (clients) => {
        const queue = new FairQueue<readonly [string, number]>();
        const waiting = new Map<string, number[]>();
        const serve = (): void => {
          const served = queue.shift();
          const hasItems = [...waiting.values()].some((items) => items.length > 0);
          if (served === undefined) return expect(hasItems).toBe(false);
          expect(waiting.get(served[0])?.shift()).toBe(served[1]);
        };
        for (const [at, client] of clients.entries()) {
          if (client === undefined) {
            serve();
            continue;
          }
          queue.push(client, [client, at]);
          waiting.set(client, [...(waiting.get(client) ?? []), at]);
        }
        while (queue.size > 0) serve();
        serve();
      }),
    );
  });
});
