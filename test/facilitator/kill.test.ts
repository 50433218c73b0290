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

it(
  'a facilitator that is killed while it settles payments settles each of them once',
  { timeout: 1_200_000 },
  () => expectNothingLost(lengthOf({ short: 20, long: 200 })),
);

it.skipIf(MISSING)(
  `so does one whose payments are in PostgreSQL${MISSING ? ` (${MISSING})` : ''}`,
  { timeout: 600_000 },
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    await expectNothingLost(lengthOf({ short: 5, long: 50 }), postgres.url);
  },
);
