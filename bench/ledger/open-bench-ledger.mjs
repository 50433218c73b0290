// The ledger, opened in this process.
import { openLedger } from '../../dist/ledger/open-ledger.js';
import { MemoryStore } from '../../dist/ledger/store/memory-store.js';
import { systemClock } from '../../dist/ports/clock.js';
import { silentLogger } from '../../dist/ports/logger.js';
import { systemRandom } from '../../dist/ports/random.js';

/** In a folder, or in memory alone. */
export function openBenchLedger(folder) {
  return openLedger({
    place: folder === undefined ? { store: new MemoryStore() } : { folder },
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
}
