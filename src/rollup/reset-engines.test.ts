import { expect, it } from 'vitest';
import { HandTime } from '../chain/testing/hand-time.ts';
import { KeptEngines } from '../ledger/engine/kept-engines.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { MemoryStore } from '../ledger/store/memory-store.ts';
import { SeededRandom } from '../ledger/testing/seeded-random.ts';
import { silentLogger } from '../ports/logger.ts';
import { openRollup } from './open-rollup.ts';
import { rollupValidatorOf } from './validator-key.ts';

it('a base and its rollup that are reset again and again have one engine each kept for them', async () => {
  const engines = new KeptEngines();
  const time = new HandTime();
  const parts = { clock: time, random: new SeededRandom('reset'), logger: silentLogger, engines };
  const base = await openLedger({ place: { store: new MemoryStore() }, ...parts });
  const rollup = await openRollup({
    ...parts,
    base,
    timer: time,
    validator: rollupValidatorOf(base),
    place: { store: new MemoryStore() },
    listedUnder: (keys) => keys,
  });
  for (let resets = 0; resets < 3; resets++) {
    await base.resetLedger();
    await rollup.settled();
  }
  expect(engines.size).toBe(2);
  await rollup.close();
  await base.close();
});
