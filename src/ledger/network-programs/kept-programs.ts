import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepFiles } from '../genesis/keep-files.ts';
import { differingPrograms, hashesOf, NETWORK_PROGRAMS, sha256, type ProgramDumps } from './program-set.ts';

/** Lists what is kept: written last, so that what it lists was there before it. */
const LIST_FILE = 'programs.json';
const NOTICE_FILE = 'NOTICE.txt';

const NOTICE = [
  "The programs in this folder were read from the cluster that --programs named. They are MagicBlock's,",
  'under the Business Source License 1.1: for non-production use only. SPL Private Payments reads them for',
  'the ledger in the folder above.',
  '',
].join('\n');

/** What `programs.json` says. */
interface ProgramList {
  /** Which cluster the programs are of ({@link sourceOf}); null where they are of a folder and not kept. */
  readonly source: string | null;
  /** SHA-256 of each program in hex, by its address. */
  readonly programs: Readonly<Record<string, string>>;
}

/** Where it is kept which programs are of layout B, and those of a cluster themselves. */
export interface KeptPrograms {
  /** Where that is, for those who have to mend it. */
  readonly place: string;
  /** As {@link isKnownToFit}. */
  isKnownToFit(dumps: ProgramDumps): boolean;
  /** As {@link readKeptPrograms}. */
  read(source: string): ProgramDumps | null;
  /** As {@link keepPrograms}. */
  keep(dumps: ProgramDumps, source: string | null): void;
}

/** Programs kept in a folder. */
export function keptInFolder(folder: string): KeptPrograms {
  return {
    place: folder,
    isKnownToFit: (dumps) => isKnownToFit(folder, dumps),
    read: (source) => readKeptPrograms(folder, source),
    keep: (dumps, source) => keepPrograms(folder, dumps, source),
  };
}

/** Programs kept in memory, for a ledger that leaves nothing behind. */
export function keptInMemory(): KeptPrograms {
  let kept: { readonly dumps: ProgramDumps; readonly source: string | null } | null = null;
  return {
    place: 'memory',
    isKnownToFit: (dumps) => kept !== null && differingPrograms(dumps, kept.dumps).length === 0,
    read: (source) => (kept !== null && kept.source === source ? kept.dumps : null),
    keep: (dumps, source) => {
      kept = { dumps, source };
    },
  };
}

/** How a cluster is known again: not by its URL, which may carry a key. */
export const sourceOf = (url: URL): string => sha256(url.href);

/**
 * The programs of a cluster that were kept in a folder; null where there are none of it, and where one is not
 * what was kept.
 */
export function readKeptPrograms(folder: string, source: string): ProgramDumps | null {
  const list = readList(folder);
  if (list?.source !== source) return null;
  const dumps = new Map<(typeof NETWORK_PROGRAMS)[number]['address'], Uint8Array>();
  for (const { address, file } of NETWORK_PROGRAMS) {
    const code = readIfThere(join(folder, file));
    if (code === null || sha256(code) !== list.programs[address]) return null;
    dumps.set(address, code);
  }
  return dumps;
}

/** Whether these very programs were found to be of layout B when they were kept. */
export function isKnownToFit(folder: string, dumps: ProgramDumps): boolean {
  const list = readList(folder);
  return list !== null && [...hashesOf(dumps)].every(([program, hash]) => list.programs[program] === hash);
}

/**
 * Remembers in a folder that these programs are of layout B, by their hashes, and keeps those of a cluster
 * themselves, so that later starts read nothing from there.
 *
 * @param source which cluster they are of; null where they are of a folder.
 * @throws what the system says (`ErrnoException`).
 */
export function keepPrograms(folder: string, dumps: ProgramDumps, source: string | null): void {
  const list: ProgramList = { source, programs: Object.fromEntries(hashesOf(dumps)) };
  const code = NETWORK_PROGRAMS.map(
    ({ address, file }) => [file, dumps.get(address) ?? new Uint8Array(0)] as const,
  );
  keepFiles(folder, [
    ...(source === null ? [] : [[NOTICE_FILE, NOTICE] as const, ...code]),
    [LIST_FILE, `${JSON.stringify(list, null, 2)}\n`],
  ]);
}

/** What cannot be read, or is not as it was written, is as good as missing: the programs are tried again. */
function readList(folder: string): ProgramList | null {
  const bytes = readIfThere(join(folder, LIST_FILE));
  if (bytes === null) return null;
  try {
    const { source = null, programs } = JSON.parse(Buffer.from(bytes).toString('utf8')) as ProgramList;
    return typeof programs === 'object' && programs !== null ? { source, programs } : null;
  } catch {
    return null;
  }
}

function readIfThere(path: string): Uint8Array | null {
  try {
    return new Uint8Array(readFileSync(path));
  } catch {
    // Whatever it is, the file cannot be had from here.
    return null;
  }
}
