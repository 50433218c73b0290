import { describe, expect, it } from 'vitest';
import { walk } from './walk.ts';
import { IS_LONG, lengthOf } from '../length.ts';

/** `ROLLUP_MODEL_SEED=any` walks another way. */
const STEPS = lengthOf({ short: 150, long: 2_000 });
const SEED = process.env['ROLLUP_MODEL_SEED'] ?? 'rollup model';

describe('the rollup and a model of it', () => {
  it(
    'agree on every number over a random history',
    async () => {
      const figures = await walk(SEED, STEPS);
      expect(figures.steps).toBe(STEPS);
      // The walk has to have been through all of it to say anything.
      expect(figures.successes).toBeGreaterThan(STEPS / 2);
      expect(figures.attempts - figures.successes).toBeGreaterThan(STEPS / 4);
      expect(figures.undelegations).toBeGreaterThan(STEPS / 20);
      expect(figures.crashes).toBeGreaterThan(STEPS / 300);
      expect(figures.interruptedLanded).toBeGreaterThan(0);
      expect(figures.interrupted - figures.interruptedLanded).toBeGreaterThan(0);
      if (IS_LONG) console.info(figures);
    },
    Math.max(600_000, STEPS * 100),
  );
});
