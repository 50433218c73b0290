import { resolve } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import { nodeSecret } from '../../ledger/node-secret.ts';
import { underKeys, type Listing } from '../../ledger/portable/listing.ts';
import type { LedgerRow } from '../../ledger/portable/rows.ts';
import { hasLedgerFiles, isBeingReset, openLedgerFolder } from '../../ledger/store/ledger-folder.ts';
import type { LedgerIdentity, LedgerStore } from '../../ledger/store/store.ts';
import { BLOCKHASH_AGE_MAX } from '../../ledger/time/blockhashes.ts';
import type { Logger } from '../../ports/logger.ts';
import { ROLLUP_BLOCKHASH_AGE_MAX } from '../../rollup/blockhash-age.ts';
import { concealedName, HISTORY_PURPOSE } from '../../rollup/privacy/history-names.ts';
import { rollupFolderOf } from '../ledger-home.ts';
import { admitsRollup } from './admits-rollup.ts';

/** A ledger of a data folder. */
export interface KeptLedger {
  readonly name: LedgerRow['name'];
  readonly store: LedgerStore;
  readonly identity: LedgerIdentity;
  /** The names that it may list a transaction under. */
  readonly listings: readonly Listing[];
}

/** The ledgers of a data folder, which nobody else has open meanwhile. */
export interface KeptLedgers {
  /** Absolute path. */
  readonly folder: string;
  readonly base: KeptLedger;
  /** Null where none was begun. */
  readonly rollup: KeptLedger | null;
  close(): Promise<void>;
}

/** Blocks for which a blockhash of each ledger is good after its own. */
export const BLOCKHASH_AGES: Readonly<Record<LedgerRow['name'], number>> = {
  base: BLOCKHASH_AGE_MAX,
  rollup: ROLLUP_BLOCKHASH_AGE_MAX,
};

/** No transaction is forgotten here, whatever the setting of those who serve the ledger. */
export const KEEP_ALL = Number.MAX_SAFE_INTEGER;

/**
 * Opens what a data folder keeps, without a machine on it: nothing lands, and no slot passes. As at a start,
 * an incomplete write at the end of a journal is cut off, and a folder of an earlier release is brought to
 * the present format.
 *
 * @throws {ServiceError} CONFIG_INVALID where there is no whole ledger; LEDGER_FOLDER_IN_USE,
 *   LEDGER_FOLDER_UNREADABLE, LEDGER_DAMAGED.
 */
export async function openKeptLedgers(folder: string, logger: Logger): Promise<KeptLedgers> {
  const path = resolve(folder);
  if (isBeingReset(path)) {
    throw new ServiceError(
      'CONFIG_INVALID',
      `The ledger in ${path} was being removed (--reset) when the program ended: the next start removes the rest`,
    );
  }
  if (!hasLedgerFiles(path)) throw new ServiceError('CONFIG_INVALID', `There is no ledger in ${path}`);
  const opened: LedgerStore[] = [];
  const open = async (
    name: LedgerRow['name'],
    ledger: string,
    mustExist: boolean,
  ): Promise<KeptLedger | null> => {
    const store = openLedgerFolder(ledger, { logger, mustExist, transactionsMax: KEEP_ALL });
    opened.push(store);
    await store.prepare();
    // What a run that was killed left in the journal would move into the database in the midst of a read.
    await store.drain();
    const { identity } = store;
    return identity && { name, store, identity, listings: [underKeys] };
  };
  const close = async (): Promise<void> => {
    for (const store of opened.toReversed()) await store.close();
  };
  try {
    const rollupFolder = rollupFolderOf(path);
    const hasRollup = hasLedgerFiles(rollupFolder);
    const base = await open('base', path, hasRollup);
    if (base === null) throw nothingThere(path);
    // A start can end before the rollup begins. Base admits a validator only after that.
    const rollup = hasRollup ? await open('rollup', rollupFolder, admitsRollup(base)) : null;
    return { folder: path, base, rollup: rollup && withConcealment(rollup, base.identity), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The rollup lists private transactions under names that come of a secret of base. */
function withConcealment(rollup: KeptLedger, base: LedgerIdentity): KeptLedger {
  const secret = nodeSecret(base.identitySeed, HISTORY_PURPOSE);
  const concealed: Listing = (keys) => keys.map((key) => concealedName(secret, key));
  return { ...rollup, listings: [...rollup.listings, concealed] };
}

function nothingThere(folder: string): ServiceError {
  return new ServiceError(
    'CONFIG_INVALID',
    `The ledger in ${folder} was not begun: nothing is kept there yet`,
  );
}
