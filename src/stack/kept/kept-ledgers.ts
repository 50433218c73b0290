import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import { Keypair, nodeSecret } from '../../ledger/keypair.ts';
import type { AccountView } from '../../ledger/state/account-state.ts';
import { Accounts } from '../../ledger/state/accounts.ts';
import { copyLedgerFiles, hasLedgerFiles, openLedgerFolder } from '../../ledger/store/ledger-folder.ts';
import type { LedgerIdentity, LedgerStore } from '../../ledger/store/store.ts';
import { pairingFault } from '../../rollup/pairing.ts';
import { isAdmitted, VALIDATOR_PURPOSE } from '../../rollup/validator-accounts.ts';
import { rollupFolderOf } from '../ledger-home.ts';

/** An open ledger of a data folder. */
export interface KeptLedger {
  readonly name: 'base' | 'rollup';
  readonly store: LedgerStore;
  readonly identity: LedgerIdentity;
  readonly accounts: AccountView;
}

/** The open ledgers of a data folder. */
export interface KeptLedgers {
  /** Absolute path. */
  readonly folder: string;
  readonly base: KeptLedger;
  /** Null if there is none. */
  readonly rollup: KeptLedger | null;
  /** Why the two do not match, in a sentence: one is missing, or from another base ledger or time. */
  readonly pairFault: string | null;
  close(): Promise<void>;
}

/** Deletes no transaction, whatever the settings of the service. */
const KEEP_ALL = Number.MAX_SAFE_INTEGER;

/**
 * Opens the ledgers of a data folder without an engine: nothing lands, and slots do not advance.
 *
 * @throws {ServiceError} CONFIG_INVALID if there is no ledger; LEDGER_FOLDER_IN_USE,
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
      throw new ServiceError('CONFIG_INVALID', `The ledger in ${path} is empty: nothing is stored there yet`);
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

interface CopySummary {
  /** Absolute path of the copy, which is a data folder. */
  readonly folder: string;
  /** Of the base ledger, base58. */
  readonly genesisHash: string;
  readonly ledgers: readonly ('base' | 'rollup')[];
}

/**
 * Copies both ledgers of a data folder consistently into a new data folder. They may be in use; writes wait
 * meanwhile. The copy gets its name when it is complete and on disk.
 *
 * @param onWriting called with the incomplete folder; returns a function that is called at the end.
 * @throws {ServiceError} CONFIG_INVALID if there is no ledger, or the target is not empty;
 *   LEDGER_FOLDER_UNREADABLE, LEDGER_DAMAGED.
 */
export async function copyLedgers(
  from: string,
  to: string,
  onWriting: (folder: string) => () => void,
): Promise<CopySummary> {
  const [source, target] = [resolve(from), resolve(to)];
  if (!hasLedgerFiles(source)) throw new ServiceError('CONFIG_INVALID', `There is no ledger in ${source}`);
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new ServiceError('CONFIG_INVALID', `${target} is not empty: name a new folder`);
  }
  const half = `${target}.${process.pid}`;
  const isOver = onWriting(half);
  try {
    const folders = [source, rollupFolderOf(source)].filter(hasLedgerFiles);
    await copyLedgerFiles(folders.map((folder) => [folder, join(half, folder.slice(source.length))]));
    const summary = await checkCopy(half);
    if (existsSync(target)) rmdirSync(target);
    renameSync(half, target);
    return { folder: target, ...summary };
  } finally {
    rmSync(half, { recursive: true, force: true });
    isOver();
  }
}

/** @throws {ServiceError} LEDGER_DAMAGED if the two ledgers do not match. */
async function checkCopy(folder: string): Promise<Omit<CopySummary, 'folder'>> {
  const { base, rollup, pairFault, close } = await openKeptLedgers(folder);
  await close();
  if (pairFault !== null) throw new ServiceError('LEDGER_DAMAGED', `${pairFault}: restore a copy of both`);
  return { genesisHash: base.identity.genesisHash, ledgers: rollup === null ? ['base'] : ['base', 'rollup'] };
}
