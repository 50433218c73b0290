import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  PERMISSION_PROGRAM,
} from '../src/programs/addresses.ts';

const FILES: Readonly<Record<string, string>> = {
  [EPHEMERAL_TOKEN_PROGRAM]: 'ephemeral_spl_token.so',
  [DELEGATION_PROGRAM]: 'delegation.so',
  [PERMISSION_PROGRAM]: 'permission.so',
};

/** Where the programs of layout B may lie: they are under a licence of their own and come with no package. */
const FOLDERS = [
  process.env['LOCALNET_PROGRAMS'],
  fileURLToPath(new URL('../../shared/programs', import.meta.url)),
];

/** The files of the programs of layout B by their addresses; null where this machine does not have them. */
export const LAYOUT_B_PROGRAMS: Readonly<Record<string, string>> | null =
  FOLDERS.flatMap((folder) => {
    if (folder === undefined) return [];
    const entries = Object.entries(FILES).map(([program, file]) => [program, join(folder, file)] as const);
    return entries.every(([, file]) => existsSync(file)) ? [Object.fromEntries(entries)] : [];
  })[0] ?? null;

/** Why tests of layout B's programs are skipped. */
export const NO_LAYOUT_B = 'the programs of layout B: name their folder in LOCALNET_PROGRAMS';
