import { describe, expect, it } from 'vitest';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/ledger/network-programs/testing/layout-b-dumps.ts';
import { IS_LONG, lengthOf } from '../length.ts';
import { runStackKillRounds } from './stack-kill-rounds.ts';

const ROUNDS = lengthOf({ short: 4, long: 12 });

async function expectNothingLost(programs: string | null): Promise<void> {
  const figures = await runStackKillRounds({ rounds: ROUNDS, seed: 'stack kill', programs });
  expect(figures).toMatchObject({
    rounds: ROUNDS,
    lost: 0,
    wrongBalances: 0,
    wentBack: 0,
    refusedRestarts: 0,
  });
  // The test would prove nothing without requests in progress.
  expect(figures.landed).toBeGreaterThanOrEqual(ROUNDS);
  expect(figures.roundsInFlight).toBeGreaterThan(0);
  // All ways of dying.
  expect(figures.treesKilled).toBeGreaterThan(0);
  expect(figures.treesKilled).toBeLessThan(ROUNDS);
}

// Concurrent, because both mostly wait for a start or a settlement.
describe.concurrent('a stack that is killed while wallets deposit, pay, undelegate and withdraw', () => {
  // The short form runs layout B if it can, because it has more state to lose.
  it.runIf(IS_LONG || LAYOUT_B_FOLDER === null)(
    'restarts with every unit on both ledgers',
    () => expectNothingLost(null),
    600_000,
  );

  it.skipIf(LAYOUT_B_FOLDER === null)(
    `finishes the shuttles and queues of layout B (${NO_LAYOUT_B})`,
    () => expectNothingLost(LAYOUT_B_FOLDER),
    600_000,
  );
});
