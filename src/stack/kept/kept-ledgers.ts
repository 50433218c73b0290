import { resolve } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import { Keypair, nodeSecret } from '../../ledger/keypair.ts';
import type { AccountView } from '../../ledger/state/account-state.ts';
import { Accounts } from '../../ledger/state/accounts.ts';
import { hasLedgerFiles, openLedgerFolder } from '../../ledger/store/ledger-folder.ts';
import type { LedgerIdentity, LedgerStore } from '../../ledger/store/store.ts';
import { pairingFault } from '../../rollup/pairing.ts';
import { isAdmitted } from '../../rollup/validator-accounts.ts';
import { VALIDATOR_PURPOSE } from '../../rollup/validator-accounts.ts';
import { rollupFolderOf } from '../ledger-home.ts';

/** A ledger of a data folder. */
export interface KeptLedger {
  readonly name: 'base' | 'rollup';
  readonly store: LedgerStore;
  readonly identity: LedgerIdentity;
  readonly accounts: AccountView;
}

/** The ledgers of a data folder, which nobody else has open meanwhile. */
export interface KeptLedgers {
  /** Absolute path. */
  readonly folder: string;
  readonly base: KeptLedger;
  /** Null where none was begun. */
  readonly rollup: KeptLedger | null;
  /** Why the two do not go together, a sentence: one is missing, or of another base or moment. */
  readonly pairFault: string | null;
  close(): Promise<void>;
}

/** No transaction is forgotten here, whatever the setting of those who serve the ledger. */
const KEEP_ALL = Number.MAX_SAFE_INTEGER;

/**
 * Opens what a data folder keeps, without a machine on it: nothing lands, and no slot passes.
 *
 * @throws {ServiceError} CONFIG_INVALID where there is no ledger; LEDGER_FOLDER_IN_USE,
 *   LEDGER_FOLDER_UNREADABLE, LEDGER_DAMAGED.
 */
export async function openKeptLedgers(folder: string): Promise<KeptLedgers> {
  const path = resolve(folder);
  const rollupFolder = rollupFolderOf(path);
  if (!hasLedgerFiles(path)) throw new ServiceError('CONFIG_INVALID', `There is no ledger in ${path}`);
  const opened: LedgerStore[] = [];
  const close = async (): Promise<void> => {
    for (const store of opened.toReversed()) await store.close();
  };
  const open = (name: KeptLedger['name'], ledger: string): KeptLedger | null => {
    const store = openLedgerFolder(ledger, { transactionsMax: KEEP_ALL });
    opened.push(store);
    const { identity } = store;
    if (identity === null) return null;
    const accounts = new Accounts();
    for (const [address, account] of store.accounts()) accounts.set(address, account);
    return { name, store, identity, accounts };
  };
  try {
    const base = open('base', path);
    if (base === null) {
      throw new ServiceError(
        'CONFIG_INVALID',
        `The ledger in ${path} was not begun: nothing is kept there yet`,
      );
    }
    const rollup = hasLedgerFiles(rollupFolder) ? open('rollup', rollupFolder) : null;
    return { folder: path, base, rollup, pairFault: pairFaultOf(base, rollup), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function pairFaultOf(base: KeptLedger, rollup: KeptLedger | null): string | null {
  if (rollup !== null) {
    const { genesisHash } = base.identity;
    return pairingFault({ genesisHash, base: base.accounts, rollup: rollup.accounts });
  }
  // Base admits the validator of its rollup once that is on disk.
  const validator = new Keypair(nodeSecret(base.identity.identitySeed, VALIDATOR_PURPOSE)).address;
  if (!isAdmitted({ state: () => base.accounts }, validator)) return null;
  return 'The base ledger has admitted the validator of a rollup, and the folder has none';
}
