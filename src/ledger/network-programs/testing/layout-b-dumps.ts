import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NETWORK_PROGRAMS, type ProgramDumps, readProgramFolder } from '../network-programs.ts';

/** Folders that may contain the layout B programs, which are not in any package because of their license. */
const FOLDERS = [
  process.env['LOCALNET_PROGRAMS'],
  fileURLToPath(new URL('../../../../../shared/programs', import.meta.url)),
];

/** The folder with the programs of layout B; null if this machine does not have them. */
export const LAYOUT_B_FOLDER: string | null =
  FOLDERS.find(
    (folder): folder is string =>
      folder !== undefined && NETWORK_PROGRAMS.every(({ file }) => existsSync(join(folder, file))),
  ) ?? null;

/** The requirement for the layout B tests, shown if they are skipped. */
export const NO_LAYOUT_B = 'the programs of layout B: name their folder in LOCALNET_PROGRAMS';

/** Reads the programs of layout B. Throws if {@link LAYOUT_B_FOLDER} is null. */
export function layoutBDumps(): ProgramDumps {
  if (LAYOUT_B_FOLDER === null) throw new Error(`this test needs ${NO_LAYOUT_B}`);
  return readProgramFolder(LAYOUT_B_FOLDER);
}
