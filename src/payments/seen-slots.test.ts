import { expect, it } from 'vitest';
import { MapChain } from '../../test/ports/map-chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Operation } from './operation.ts';
import { type SeenSlots, withSeenSlots } from './seen-slots.ts';

const BEHIND = new ServiceError('UPSTREAM_UNAVAILABLE', 'it is behind', { slotsBehind: 1 });
const DOWN = new ServiceError('UPSTREAM_TIMEOUT', 'it is down');

/** An operation on a remote cluster that never reaches a slot, and the slots that callers get. */
function open(effect: Operation['effect'], newestSlot: number | undefined, fault = BEHIND) {
  const chain = Object.assign(new MapChain(), {
    cluster: 'mainnet',
    newestSlot,
    reachSlot: () => Promise.reject(fault),
  });
  const local = Object.assign(new MapChain(), { cluster: 'localnet' });
  const clusters = new Clusters([chain, local]);
  const reported: [string, number][] = [];
  const operation = { effect, run: () => Promise.resolve({ output: {}, sentences: [] }) };
  const { run } = withSeenSlots(operation as unknown as Operation, clusters);
  const ask = (input: object, slot?: number) => {
    const seen: SeenSlots = { of: () => slot, report: (...each) => reported.push(each) };
    return run(input, { token: undefined, seen });
  };
  return { ask, reported, run };
}

it('reports the slot of the ledgers, and runs if they have reached that of the caller', async () => {
  const { ask, reported } = open('read', 5);
  await ask({}, 5);
  await ask({ cluster: ' MainNet ' });
  expect(reported).toEqual([
    ['mainnet.base', 5],
    ['mainnet.base', 5],
  ]);
});

it.each([
  ['read', 4],
  ['build', undefined],
] as const)('does not run an operation of kind %s on a ledger that is behind', async (effect, newestSlot) => {
  await expect(open(effect, newestSlot).ask({}, 5)).rejects.toBe(BEHIND);
});

it('runs if a ledger cannot be read, because it may not need that ledger', async () => {
  const { ask, reported } = open('read', undefined, DOWN);
  await ask({}, 5);
  expect(reported).toEqual([]);
});

it('sends without a delay', async () => {
  const { ask, reported } = open('send', 4);
  await ask({}, 5);
  expect(reported).toEqual([['mainnet.base', 4]]);
});

it('has no slots of local ledgers, of clusters by URL, and for callers without headers', async () => {
  const { ask, reported, run } = open('read', 4);
  await ask({ cluster: 'localnet' }, 5);
  await ask({ cluster: 'https://rpc.example' }, 5);
  await run({}, { token: undefined });
  expect(reported).toEqual([]);
});
