import { resolve } from 'node:path';
import { VARIABLES } from '../../../config/config.ts';

/** The folder that `start` keeps its ledger in, as an absolute path. */
export function ledgerFolderOf(env: Readonly<Record<string, string | undefined>>): string {
  const { name, default: usual } = VARIABLES.dataDir;
  return resolve(env[name]?.trim() || usual);
}
