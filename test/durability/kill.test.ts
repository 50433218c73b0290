import { describe, expect, it } from 'vitest';
import { lengthOf } from '../length.ts';
import { runKillRounds } from './kill-rounds.ts';

/** Two ledgers at once: one process starts while another is being killed. */
const LEDGERS = 2;
/** 200 of them by `npm run kill-rounds`. */
const ROUNDS = lengthOf({ short: 3, long: 10 });

describe('a ledger whose process is killed during writes', () => {
  it('has everything it acknowledged exactly once, the matching balances, and never reuses a slot', async () => {
    const all = await Promise.all(
      Array.from({ length: LEDGERS }, (_, index) => runKillRounds(ROUNDS, `kill ${index}`)),
    );
    for (const figures of all) {
      expect(figures).toMatchObject({
        rounds: ROUNDS,
        lost: 0,
        duplicated: 0,
        wrongBalances: 0,
        wentBack: 0,
      });
      expect(figures.acknowledged).toBeGreaterThanOrEqual(ROUNDS);
      expect(figures.landed).toBeGreaterThanOrEqual(figures.acknowledged);
      // The test would prove nothing without writes in progress.
      expect(figures.roundsInFlight).toBe(ROUNDS);
    }
  }, 600_000);
});
