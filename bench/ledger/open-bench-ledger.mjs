// The ledger, opened in this process.
import { openLedger } from '../../dist/ledger/open-ledger.js';
import { MemoryStore } from '../../dist/ledger/store/memory-store.js';
import { systemClock } from '../../dist/ports/clock.js';
import { silentLogger } from '../../dist/ports/logger.js';
import { systemRandom } from '../../dist/ports/random.js';

/** In a folder, or in memory alone; one in a folder may keep so many transactions, a million when left out. */
export function openBenchLedger(folder, transactionsMax) {
  return openLedger({
    place: folder === undefined ? { store: new MemoryStore() } : { folder, transactionsMax },
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
}
