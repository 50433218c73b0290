import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MapChain } from '../../test/ports/map-chain.ts';
import { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { HandTimer } from '../ports/testing/hand-timer.ts';
import { USDC_MINT as PAYER } from '../programs/addresses.ts';
import { createFacilitatorReader } from './facilitator-figures.ts';

const COUNTS = { settled: 3, failed: 0, expired: 1 };
const BUDGET = { spent: 10_000n, limit: 1_000_000n };
const UNAVAILABLE = new ServiceError('UPSTREAM_UNAVAILABLE', 'no answer');

function start({ isBroken = false } = {}) {
  const localnet = Object.assign(new MapChain(), { cluster: 'localnet', network: 'localnet' as const });
  const devnet = Object.assign(new MapChain(), {
    cluster: 'devnet',
    network: 'devnet' as const,
    getAccounts: () => (isBroken ? Promise.reject(UNAVAILABLE) : new Promise<never>(() => undefined)),
  });
  const timer = new HandTimer();
  const figures = {
    counts: () => COUNTS,
    pending: async () => 2,
    budget: () => (isBroken ? Promise.reject(UNAVAILABLE) : Promise.resolve(BUDGET)),
  };
  const clusters = new Clusters([localnet, devnet]);
  return { timer, read: createFacilitatorReader({ clusters, feePayer: PAYER, figures }, timer) };
}

it('reads the figures of the facilitator, without those of a node that does not answer', async () => {
  const { timer, read } = start();
  const reading = read();
  // All other answers have arrived by then.
  await setImmediate();
  timer.pass(500);
  expect(await reading).toEqual({
    feePayer: PAYER,
    balances: [
      { cluster: 'localnet', lamports: 0n },
      { cluster: 'devnet', lamports: null },
    ],
    payments: { counts: COUNTS, pending: 2, budget: BUDGET },
  });
});

it('reads the figures of the facilitator, without those that fail', async () => {
  const { balances, payments } = await start({ isBroken: true }).read();
  expect(balances.map(({ lamports }) => lamports)).toEqual([0n, null]);
  expect(payments).toEqual({ counts: COUNTS, pending: 2, budget: null });
});
