import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLedgerFolder } from '../../ledger/store/ledger-folder.ts';
import { TAKE_OVER_LIMITS } from '../../ledger/store/take-over.ts';
import { temporaryFolder } from '../../ledger/testing/temporary-folder.ts';
import { silentLogger } from '../../ports/logger.ts';
import { exportLedgers } from './export-ledgers.ts';
import { openKeptLedgers } from './kept-ledgers.ts';
import { beginLedger, landTransfers } from './testing/land-transfers.ts';
import { verifyLedgers } from './verify-ledgers.ts';

const logger = silentLogger;
const untold = (): void => undefined;
const NEVER_TAKEN = { ...TAKE_OVER_LIMITS, bytes: 1e12, delayMs: 1e9, bytesMax: 1e12 };

describe('the ledgers of a data folder', () => {
  /** What a killed run leaves: its files, with everything in the journal. */
  async function killedFolder(count: number): Promise<string> {
    const folder = temporaryFolder();
    const [live, left] = [join(folder, 'live'), join(folder, 'left')];
    const store = openLedgerFolder(live, { logger, limits: NEVER_TAKEN });
    onTestFinished(() => store.close());
    await beginLedger(store);
    await landTransfers(store, { fromSlot: 1, count, logged: 200 });
    mkdirSync(left, { mode: 0o700 });
    for (const name of readdirSync(live)) {
      if (!name.includes('lock')) copyFileSync(join(live, name), join(left, name));
    }
    return left;
  }

  it('are exported and verified with everything that a killed run left in the journal', async () => {
    const count = 300;
    const kept = await openKeptLedgers(await killedFolder(count), logger);
    onTestFinished(() => kept.close());
    const { base } = kept;
    let exported = 0;
    await exportLedgers(kept, (line) => void (exported += Number(line.includes('"transaction"'))), untold);
    expect(exported).toBe(count);
    expect(base.store.size().journalBytes).toBe(0);
    const { ledgers } = await verifyLedgers(kept, untold);
    expect(ledgers).toMatchObject([{ transactions: count, forgotten: 0 }]);
  });

  it('are neither exported nor found sound with fewer transactions than they keep', async () => {
    const kept = await openKeptLedgers(await killedFolder(3), logger);
    onTestFinished(() => kept.close());
    const { store } = kept.base;
    const read = store.recordsFrom.bind(store);
    store.recordsFrom = (slot) => [...read(slot)].slice(0, 2);
    const fault = 'it keeps 3 transactions, and 2 could be read';
    await expect(exportLedgers(kept, untold, untold)).rejects.toMatchObject({
      code: 'LEDGER_DAMAGED',
      message: `The ledger base lacks something: ${fault}`,
    });
    const { isSound, damage } = await verifyLedgers(kept, untold);
    expect({ isSound, damage }).toEqual({ isSound: false, damage: [`base: ${fault}`] });
  });
});
