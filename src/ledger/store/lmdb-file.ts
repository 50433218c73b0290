import { closeSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { type Database, type Key, open, type RootDatabase } from 'lmdb';

export type LmdbKey = Key;
export type LmdbTable = Database<Buffer, Key>;
export type LmdbRoot = RootDatabase<Buffer, Key>;

/**
 * What tells an LMDB file (`MDB_MAGIC` in the header of each of its first two pages), and where the first of
 * them has the size of a page.
 */
const MAGIC = 0xbeef_c0de;
const MAGIC_AT = 24;
const PAGE_BYTES_AT = 48;
const HEAD_BYTES = 128 * 1024;

/** A file that was opened. */
interface LmdbFile {
  readonly root: LmdbRoot;
  /** How many bytes the file had, */
  readonly bytes: number;
  /**
   * and how many it has by LMDB's own account. Those that it lacks are zeros now. It need not have lost any:
   * pages that one transaction took and gave back are not written.
   */
  readonly bytesDue: number;
  /** LMDB's table of readers before this process was one. */
  readonly readers: string;
}

/**
 * Opens an LMDB file, creating it if it is missing. What is in it is only read and written by named tables.
 *
 * @throws {Error} if the file is something else, or the system's error.
 */
export function openLmdbFile(file: string, maxDbs: number): LmdbFile {
  assertIsLmdb(file);
  const root = open<Buffer, Key>({
    path: file,
    noSubdir: true,
    maxDbs,
    encoding: 'binary',
    // A transaction is over once it is on disk.
    overlappingSync: false,
    // Batches have a promise that nobody can catch; its rejection would end the process.
    eventTurnBatching: false,
  });
  // Within a transaction, which needs no reader, and besides which nobody else makes the file longer.
  return root.transactionSync(() => {
    const { pageSize, lastPageNumber } = root.getStats() as { pageSize: number; lastPageNumber: number };
    const bytesDue = (lastPageNumber + 1) * pageSize;
    const bytes = statSync(file).size;
    // LMDB would end the process where it reads behind the end.
    if (bytes < bytesDue) truncateSync(file, bytesDue);
    return { root, bytes, bytesDue, readers: root.readerList() };
  });
}

/**
 * Throws unless a file is a whole LMDB file, or there is none.
 *
 * @throws {Error} as {@link openLmdbFile}, and for one that was cut off.
 */
export function assertLmdbFile(file: string): void {
  const { root, bytes, bytesDue } = openLmdbFile(file, 1);
  // Which is done on return: nothing was written.
  void root.close();
  if (bytes < bytesDue) throw new Error(`its file ends after ${bytes} of ${bytesDue} bytes`);
}

/** The native code does not refuse another file, but ends the process. */
function assertIsLmdb(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  const head = Buffer.alloc(HEAD_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head);
  } finally {
    closeSync(descriptor);
  }
  const pageBytes = head.readUInt32LE(PAGE_BYTES_AT);
  const isWhole = pageBytes <= HEAD_BYTES / 2 && size >= 2 * pageBytes;
  if (isWhole && [0, pageBytes].every((page) => head.readUInt32LE(page + MAGIC_AT) === MAGIC)) return;
  throw new Error('its file was not written by this program, or is cut off');
}
