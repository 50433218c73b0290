import { describe, expect, it } from 'vitest';
import { missingPrograms, startPostgres } from '../../src/state/testing/server-process.ts';
import { folderOfFile } from '../folders.ts';
import { lengthOf } from '../length.ts';
import { runCheckoutKills } from './kill-rounds.ts';

const MISSING = missingPrograms('postgres', 'initdb', 'pg_isready');

async function expectNothingLost(rounds: number, stateUrl?: string): Promise<void> {
  const place = { folder: await folderOfFile(), ...(stateUrl !== undefined && { stateUrl }) };
  const figures = await runCheckoutKills(rounds, 'checkout kill', place);
  expect(figures).toMatchObject({
    rounds,
    lost: [],
    doubled: [],
    refundedTooMuch: [],
    missingEvents: [],
    wrongEvents: [],
    eventsWithTwoBodies: 0,
    merchantSurplus: 0n,
    buyerSurplus: 0n,
  });
  // Many rounds would prove nothing without these. A few rounds may have none.
  if (rounds < 20) return;
  expect(figures.openAtKill).toBeGreaterThan(0);
  expect(figures.refunded).toBeGreaterThan(0);
}

// Concurrent, because both mostly wait for services to start and for events to be sent again.
describe.concurrent('orders and refunds are paid once, and all events arrive', () => {
  it(
    'although a service with a data folder is killed again and again',
    () => expectNothingLost(lengthOf({ short: 3, long: 200 })),
    3_600_000,
  );

  it.skipIf(MISSING)(
    `although two replicas with one database are killed in turn${MISSING ? ` (${MISSING})` : ''}`,
    async ({ onTestFinished }) => {
      const postgres = await startPostgres();
      onTestFinished(() => postgres.stop());
      await expectNothingLost(lengthOf({ short: 2, long: 50 }), postgres.url);
    },
    3_600_000,
  );
});
