import { expect, it } from 'vitest';
import { runStackKillRounds } from './stack-kill-rounds.ts';

const ROUNDS = 4;

it('a stack killed while wallets deposit, pay, come back and withdraw starts again and has every unit on both ledgers', async () => {
  const figures = await runStackKillRounds(ROUNDS, 'stack kill');
  expect(figures).toMatchObject({
    rounds: ROUNDS,
    lost: 0,
    wrongBalances: 0,
    wentBack: 0,
    refusedRestarts: 0,
  });
  // It would prove nothing if nobody had been using it.
  expect(figures.landed).toBeGreaterThanOrEqual(ROUNDS);
  expect(figures.roundsInFlight).toBeGreaterThan(0);
  // Both ways of dying.
  expect(figures.treesKilled).toBeGreaterThan(0);
  expect(figures.treesKilled).toBeLessThan(ROUNDS);
}, 600_000);
