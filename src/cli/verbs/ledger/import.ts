import { createReadStream } from 'node:fs';
import { systemRandom } from '../../../ports/random.ts';
import { importLedgers } from '../../../stack/kept/import-ledgers.ts';
import type { VerbExit } from '../exit-codes.ts';
import type { VerbCall } from '../verb-call.ts';
import { unusable } from '../verb-failure.ts';
import { dataFolderOf } from './data-folder.ts';
import { leavingNothingOf } from './leave-nothing.ts';
import { tellingProgress } from './tell-progress.ts';
import { warningsTo } from './warnings.ts';

/** `ledger import FILE --data-dir FOLDER`: makes a data folder of an export. */
export async function runImport(call: VerbCall, path: string): Promise<VerbExit> {
  const { terminal } = call;
  if (!call.has('data-dir')) throw unusable('import needs --data-dir and a new folder');
  const place = {
    folder: dataFolderOf(call),
    logger: warningsTo(terminal),
    random: systemRandom,
    onWriting: leavingNothingOf,
  };
  const { folder, genesisHash, lines } = await importLedgers(
    readFile(path),
    place,
    tellingProgress(terminal),
  );
  call.report({ folder, genesisHash, lines }, [`${folder} has the ledger ${genesisHash}`]);
  return 'done';
}

async function* readFile(path: string): AsyncIterable<Buffer> {
  try {
    yield* createReadStream(path) as AsyncIterable<Buffer>;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw unusable(`${path} cannot be read (${code ?? 'unknown reason'})`);
  }
}
