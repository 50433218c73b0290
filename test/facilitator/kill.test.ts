import { expect, it, onTestFinished } from 'vitest';
import { missingPrograms, startPostgres } from '../../src/state/testing/server-process.ts';
import { folderOfFile } from '../folders.ts';
import { lengthOf } from '../length.ts';
import { runFacilitatorKills } from './kill-rounds.ts';

const MISSING = missingPrograms('postgres', 'initdb', 'pg_isready');

async function expectNothingLost(rounds: number, stateUrl?: string): Promise<void> {
  const [network, facilitator] = [await folderOfFile(), await folderOfFile()];
  const places = { network, facilitator, ...(stateUrl !== undefined && { stateUrl }) };
  const figures = await runFacilitatorKills(rounds, 'facilitator kill', places);
  expect(figures).toMatchObject({ rounds, doubled: 0, lost: 0, surplus: 0n });
  // The test would prove nothing without payments in progress.
  expect(figures.openAtKill).toBeGreaterThan(0);
}

it('a facilitator with a data folder that is killed settles each payment once', { timeout: 2_400_000 }, () =>
  expectNothingLost(lengthOf({ short: 20, long: 200 })),
);

it.skipIf(MISSING)(
  `a facilitator with PostgreSQL that is killed settles each payment once${MISSING ? ` (${MISSING})` : ''}`,
  { timeout: 1_200_000 },
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    await expectNothingLost(lengthOf({ short: 5, long: 50 }), postgres.url);
  },
);
