import { join } from 'node:path';
import { NETWORK_PROGRAMS } from '../src/ledger/network-programs/network-programs.ts';
import { LAYOUT_B_FOLDER } from '../src/ledger/network-programs/testing/layout-b-dumps.ts';

const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(NETWORK_PROGRAMS.map(({ address, file }) => [address, join(folder, file)]));

/** The files of the programs of layout B by their addresses; null if this machine does not have them. */
export const LAYOUT_B_PROGRAMS: Readonly<Record<string, string>> | null =
  LAYOUT_B_FOLDER === null ? null : filesIn(LAYOUT_B_FOLDER);
