import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ServiceError } from '../../errors/service-error.ts';
import { copyLedgerFiles, hasLedgerFiles } from '../../ledger/store/ledger-folder.ts';
import { rollupFolderOf } from '../ledger-home.ts';
import { openKeptLedgers } from './kept-ledgers.ts';

/** What was copied. */
interface CopySummary {
  /** Absolute path of the copy, which is a data folder. */
  readonly folder: string;
  /** Of the base ledger, base58. */
  readonly genesisHash: string;
  readonly ledgers: readonly ('base' | 'rollup')[];
}

/**
 * Copies both ledgers of a data folder, as of one moment, into a new data folder. They may be in use: what
 * they write meanwhile waits. The copy appears under its name once all of it is on the disk.
 *
 * @param onWriting told of the folder that is half written; returns what is to be called when it is not any
 *   more.
 * @throws {ServiceError} CONFIG_INVALID where there is no ledger, or something is in the way of the copy;
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
    throw new ServiceError('CONFIG_INVALID', `There is something in ${target}: name a new folder`);
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

/** @throws {ServiceError} LEDGER_DAMAGED where the two do not go together. */
async function checkCopy(folder: string): Promise<Omit<CopySummary, 'folder'>> {
  const { base, rollup, pairFault, close } = await openKeptLedgers(folder);
  await close();
  if (pairFault !== null) throw new ServiceError('LEDGER_DAMAGED', `${pairFault}: put back a copy of both`);
  return { genesisHash: base.identity.genesisHash, ledgers: rollup === null ? ['base'] : ['base', 'rollup'] };
}
