import { copyLedgers } from '../../stack/kept/copy-ledgers.ts';
import { dataFolderOf } from './ledger/data-folder.ts';
import { leavingNothingOf } from './ledger/leave-nothing.ts';
import { runVerify } from './ledger/verify.ts';
import type { VerbExit } from './exit-codes.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable } from './verb-failure.ts';

/** `ledger backup FOLDER`, `ledger restore FOLDER --data-dir FOLDER`, `ledger verify [FOLDER]` */
export async function runLedger(call: VerbCall): Promise<VerbExit> {
  const [action, place, ...surplus] = call.words;
  if (surplus.length === 0) {
    if (action === 'verify') return await runVerify(call, place);
    if (action === 'backup' && place !== undefined) return await runCopy(call, dataFolderOf(call), place);
    if (action === 'restore' && place !== undefined) {
      if (!call.has('data-dir')) throw unusable('restore needs --data-dir and a new folder');
      return await runCopy(call, place, dataFolderOf(call));
    }
  }
  throw unusable('ledger takes backup FOLDER, restore FOLDER --data-dir FOLDER, or verify [FOLDER]');
}

/** A backup is a data folder: to restore it is to copy it back. */
async function runCopy(call: VerbCall, from: string, to: string): Promise<VerbExit> {
  const copied = await copyLedgers(from, to, leavingNothingOf);
  call.report(copied, [`${copied.folder} has the ledger ${copied.genesisHash}`]);
  return 'done';
}
