import { runExport } from './ledger/export.ts';
import { runImport } from './ledger/import.ts';
import { runVerify } from './ledger/verify.ts';
import type { VerbExit } from './exit-codes.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable } from './verb-failure.ts';

/** `ledger export FILE|-`, `ledger import FILE`, `ledger verify [FOLDER]` */
export async function runLedger(call: VerbCall): Promise<VerbExit> {
  const [action, place, ...surplus] = call.words;
  if (surplus.length === 0) {
    if (action === 'verify') return await runVerify(call, place);
    if (action === 'export' && place !== undefined) return await runExport(call, place);
    if (action === 'import' && place !== undefined) return await runImport(call, place);
  }
  throw unusable('ledger takes export FILE (or -), import FILE --data-dir FOLDER, or verify [FOLDER]');
}
