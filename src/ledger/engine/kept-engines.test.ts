import { expect, it } from 'vitest';
import { silentLogger } from '../../ports/logger.ts';
import { openLedger } from '../open-ledger.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { HandClock } from '../testing/hand-clock.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { KeptEngines } from './kept-engines.ts';

it('holds on to one engine of a ledger however often it is reset (bug: to one for every reset)', async () => {
  const engines = new KeptEngines();
  const ledger = await openLedger({
    place: { store: new MemoryStore() },
    clock: new HandClock(),
    random: new SeededRandom('kept engines'),
    logger: silentLogger,
    engines,
  });
  for (let resets = 0; resets < 10; resets++) await ledger.resetLedger();
  expect(engines.size).toBe(1);
  await ledger.airdrop(ledger.identity, 1_000_000_000n);
  await ledger.close();
  engines.takeBack();
  expect(engines.size).toBe(1);
});
