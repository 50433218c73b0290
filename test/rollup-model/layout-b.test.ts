import { describe, expect, it } from 'vitest';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/rollup/testing/layout-b-genesis.ts';
import { walkLayoutB, type LayoutBFigures } from './layout-b/walk.ts';
import { IS_LONG, lengthOf } from '../length.ts';

/** Steps of each walk, and the number of walks. */
const STEPS = lengthOf({ short: 300, long: 2_000 });
const SEEDS = Number(process.env['ROLLUP_MODEL_SEEDS'] ?? lengthOf({ short: 1, long: 3 }));
/** One walk again: `ROLLUP_MODEL_SEED='layout b 4'`. */
const SEED = process.env['ROLLUP_MODEL_SEED'];

const seeds =
  SEED === undefined ? Array.from({ length: SEEDS }, (_, index) => `layout b ${index + 1}`) : [SEED];

/** Kinds of operations. */
const KINDS = 17;

describe.skipIf(LAYOUT_B_FOLDER === null)(`the rollup of layout B and a model of it (${NO_LAYOUT_B})`, () => {
  const walked: LayoutBFigures[] = [];

  it.each(seeds)(
    'agree on every number over a random history with crashes: %s',
    async (seed) => {
      const figures = await walkLayoutB(seed, STEPS);
      walked.push(figures);
      if (IS_LONG) console.info(seed, figures);
      expect(figures.steps).toBe(STEPS);
      // The walk has to have been through all of it to say anything.
      expect(figures.back).toBeGreaterThan(STEPS / 100);
      expect(figures.crashes).toBeGreaterThan(STEPS / 100);
      expect(figures.interrupted).toBeGreaterThan(0);
    },
    Math.max(600_000, STEPS * 1_000),
  );

  it.skipIf(SEED !== undefined)('cover every kind of operation, and crashes on both sides of a write', () => {
    const kinds = new Set(walked.flatMap(({ landed }) => [...landed.keys()]));
    expect([...kinds].toSorted()).toHaveLength(KINDS);
    // Durable and not acknowledged: what a wallet cannot know, and the ledger has to keep.
    const landed = walked.reduce((sum, { interruptedLanded }) => sum + interruptedLanded, 0);
    const interrupted = walked.reduce((sum, each) => sum + each.interrupted, 0);
    expect(landed).toBeGreaterThan(0);
    expect(interrupted).toBeGreaterThan(landed);
  });
});
