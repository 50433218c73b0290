import { join } from 'node:path';
import { readIfThere, storeFiles } from '../store/make-folder.ts';
import { differingPrograms, hashesOf, NETWORK_PROGRAMS, sha256, type ProgramDumps } from './program-set.ts';

/** Lists the stored programs. It is written last, after the files it lists. */
const LIST_FILE = 'programs.json';
const NOTICE_FILE = 'NOTICE.txt';

const NOTICE = [
  "The programs in this folder were read from the cluster given with --programs. They are MagicBlock's,",
  'under the Business Source License 1.1: for non-production use only. SPL Private Payments reads them for',
  'the ledger in the folder above.',
  '',
].join('\n');

/** The contents of `programs.json`. */
interface ProgramList {
  /**
   * The cluster the programs were read from ({@link sourceOf}); null for a folder, whose programs are not
   * stored.
   */
  readonly source: string | null;
  /** SHA-256 of each program in hex, by its address. */
  readonly programs: Readonly<Record<string, string>>;
}

/** Remembers which programs were found to be of layout B, and stores those that were read from a cluster. */
export interface ProgramMemory {
  /** The folder, or "memory", for error messages. */
  readonly place: string;
  /** Whether exactly these programs were found to be of layout B when they were stored. */
  isKnownToFit(dumps: ProgramDumps): boolean;
  /** The stored programs of a cluster; null if there are none, or if a file was changed. */
  read(source: string): ProgramDumps | null;
  /**
   * Stores the hashes of programs that are of layout B, and the programs themselves if they are of a cluster,
   * so that later starts need no network.
   *
   * @param source the cluster they were read from; null for a folder.
   * @throws the system's error (`ErrnoException`).
   */
  store(dumps: ProgramDumps, source: string | null): void;
}

/** Programs in a folder. */
export function programsInFolder(folder: string): ProgramMemory {
  return {
    place: folder,
    isKnownToFit(dumps) {
      const list = readList(folder);
      return (
        list !== null && [...hashesOf(dumps)].every(([program, hash]) => list.programs[program] === hash)
      );
    },
    read(source) {
      const list = readList(folder);
      if (list?.source !== source) return null;
      const files = NETWORK_PROGRAMS.map(
        ({ address, file }) => [address, readIfThere(join(folder, file))] as const,
      );
      const whole = files.flatMap(([address, code]) =>
        code !== null && sha256(code) === list.programs[address] ? [[address, code] as const] : [],
      );
      return whole.length === files.length ? new Map(whole) : null;
    },
    store(dumps, source) {
      const list: ProgramList = { source, programs: Object.fromEntries(hashesOf(dumps)) };
      const code = NETWORK_PROGRAMS.map(
        ({ address, file }) => [file, dumps.get(address) ?? new Uint8Array(0)] as const,
      );
      storeFiles(folder, [
        ...(source === null ? [] : [[NOTICE_FILE, NOTICE] as const, ...code]),
        [LIST_FILE, `${JSON.stringify(list, null, 2)}\n`],
      ]);
    },
  };
}

/** Programs in memory, for a ledger that leaves nothing behind. */
export function programsInMemory(): ProgramMemory {
  let stored: { readonly dumps: ProgramDumps; readonly source: string | null } | null = null;
  return {
    place: 'memory',
    isKnownToFit: (dumps) => stored !== null && differingPrograms(dumps, stored.dumps).length === 0,
    read: (source) => (stored !== null && stored.source === source ? stored.dumps : null),
    store: (dumps, source) => {
      stored = { dumps, source };
    },
  };
}

/** Identifies a cluster. A hash, because its URL may contain a key. */
export const sourceOf = (url: URL): string => sha256(url.href);

/** A list that cannot be read or is damaged counts as missing: the programs are tried again. */
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
