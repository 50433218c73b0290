import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { formatBaseUnits } from '../../payments/mints/common-mints.ts';
import {
  copyLedgers,
  type LedgerFigures,
  type MintStanding,
  openStoredLedgers,
  type Verification,
  verifyLedgers,
} from '../../stack/stored-ledgers.ts';
import { ledgerFolderOf } from '../settings.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable, type VerbExit } from './verb-failure.ts';

/** Runs `ledger backup FOLDER`, `ledger restore FOLDER --data-dir FOLDER`, or `ledger verify [FOLDER]`. */
export async function runLedger(call: VerbCall): Promise<VerbExit> {
  const [action, place, ...surplus] = call.words;
  if (surplus.length === 0) {
    if (action === 'verify') return await runVerify(call, place);
    if (action === 'backup' && place !== undefined) return await runCopy(call, dataFolderOf(call), place);
    if (action === 'restore' && place !== undefined) {
      if (!call.has('data-dir')) throw unusable('restore needs --data-dir with a new folder');
      return await runCopy(call, place, dataFolderOf(call));
    }
  }
  throw unusable('ledger needs backup FOLDER, restore FOLDER --data-dir FOLDER, or verify [FOLDER]');
}

/** Copies a data folder. A backup is also a data folder, so restoring it is a copy. */
async function runCopy(call: VerbCall, from: string, to: string): Promise<VerbExit> {
  const copied = await copyLedgers(from, to, leavingNothingOf);
  call.report(copied, [`${copied.folder} contains the ledger ${copied.genesisHash}`]);
  return 'done';
}

/** Returns the named data folder, or the one that `start` uses, as an absolute path. */
export function dataFolderOf(call: VerbCall, place?: string): string {
  const named = call.valueOf('data-dir');
  if (place !== undefined && named !== undefined)
    throw unusable('--data-dir and the argument both name a folder: remove one of them');
  return resolve(place ?? named ?? ledgerFolderOf(call.terminal.env));
}

/** Signals that end a verb. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Ending = Pick<NodeJS.Process, 'once' | 'off' | 'kill' | 'pid' | 'exit'>;

/**
 * Deletes an incomplete copy, which contains keys, if a signal ends this process.
 *
 * @param path the file or folder, which need not exist.
 * @returns a function to call when the copy is complete or deleted.
 */
export function leavingNothingOf(path: string, ending: Ending = process): () => void {
  const end = (signal: NodeJS.Signals): void => {
    rmSync(path, { recursive: true, force: true });
    release();
    // `exit` would wait for threads that read files, and such a thread may block on a pipe forever.
    ending.kill(ending.pid, signal);
    // The first process of a container ignores unhandled signals.
    ending.exit(128 + constants.signals[signal]);
  };
  const release = (): void => {
    for (const signal of SIGNALS) ending.off(signal, end);
  };
  for (const signal of SIGNALS) ending.once(signal, end);
  return release;
}

/** Runs `ledger verify [FOLDER]`. It reads all data of a folder and reports errors. */
export async function runVerify(call: VerbCall, place: string | undefined): Promise<VerbExit> {
  const kept = await openStoredLedgers(dataFolderOf(call, place));
  try {
    const found = verifyLedgers(kept);
    call.report({ folder: kept.folder, ...found }, linesOf(kept.folder, found));
    return found.isSound ? 'done' : 'refused';
  } finally {
    await kept.close();
  }
}

function linesOf(folder: string, { isSound, ledgers, mints, open, damage }: Verification): string[] {
  return [
    `${isSound ? 'sound' : 'NOT SOUND'}: ${folder}`,
    ...ledgers.map(lineOfLedger),
    ...(open === null ? [] : [`open: ${open.undelegations} undelegations, ${open.intents} intents`]),
    ...mints.map(lineOfMint),
    ...damage.map((each) => `damage: ${each}`),
  ];
}

function lineOfLedger(figures: LedgerFigures): string {
  const { ledger, genesisHash, slot, accounts, transactions, forgotten } = figures;
  const earlier = forgotten === 0 ? '' : ` (${forgotten} forgotten)`;
  return `${ledger}: genesis ${genesisHash}, slot ${slot}, ${accounts} accounts, ${transactions} transactions${earlier}`;
}

function lineOfMint({ mint, decimals, supply, held, vault }: MintStanding): string {
  const shown = (amount: bigint): string => formatBaseUnits(amount, decimals);
  const supplied = `mint ${mint}: supply ${shown(supply)}, held ${shown(held)}`;
  if (vault === null) return `${supplied}, no vault`;
  const { layout, amount, owed, fault } = vault;
  const against = owed === null ? `BUT ${fault}` : `owed ${shown(owed)}`;
  return `${supplied}, vault (layout ${layout}) ${shown(amount)}, ${against}`;
}
