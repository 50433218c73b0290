import { exportLedgers, type ExportSummary } from '../../../stack/kept/export-ledgers.ts';
import { openKeptLedgers, type KeptLedgers } from '../../../stack/kept/kept-ledgers.ts';
import type { VerbExit } from '../exit-codes.ts';
import type { VerbCall } from '../verb-call.ts';
import { unusable } from '../verb-failure.ts';
import { dataFolderOf } from './data-folder.ts';
import { SecretFile } from './secret-file.ts';
import { tellingProgress } from './tell-progress.ts';
import { warningsTo } from './warnings.ts';

/** `ledger export FILE|-`: writes both ledgers of a data folder into one file, or to stdout. */
export async function runExport(call: VerbCall, place: string): Promise<VerbExit> {
  const { terminal } = call;
  if (place === '-' && call.has('json'))
    throw unusable('export - prints the export itself: leave --json out');
  const kept = await openKeptLedgers(dataFolderOf(call), warningsTo(terminal));
  try {
    if (place === '-') {
      await exportLedgers(kept, (line) => terminal.print(line), tellingProgress(terminal));
    } else {
      const { genesisHash, lines, sha256 } = await exportToFile(call, kept, place);
      call.report({ file: place, genesisHash, lines, sha256 }, [`${sha256}  ${place}`]);
    }
    return 'done';
  } finally {
    await kept.close();
  }
}

async function exportToFile({ terminal }: VerbCall, kept: KeptLedgers, path: string): Promise<ExportSummary> {
  const file = new SecretFile(path);
  try {
    const summary = await exportLedgers(kept, (line) => file.write(line), tellingProgress(terminal));
    file.finish();
    return summary;
  } catch (error) {
    file.discard();
    throw error;
  }
}
