import { resolve } from 'node:path';
import { ledgerFolderOf } from '../doctor/ledger-folder.ts';
import type { VerbCall } from '../verb-call.ts';
import { unusable } from '../verb-failure.ts';

/** The data folder that is named, else that of `start`, as an absolute path. */
export function dataFolderOf(call: VerbCall, place?: string): string {
  const named = call.valueOf('data-dir');
  if (place !== undefined && named !== undefined)
    throw unusable('--data-dir names a folder beside the other one');
  return resolve(place ?? named ?? ledgerFolderOf(call.terminal.env));
}
