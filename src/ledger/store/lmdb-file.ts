import { closeSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { type Database, type Key, open, type RootDatabase } from 'lmdb';

export type LmdbKey = Key;
export type LmdbTable = Database<Buffer, Key>;
export type LmdbRoot = RootDatabase<Buffer, Key>;

/**
 * The magic number of an LMDB file (`MDB_MAGIC`), which is in the headers of its first two pages, and the
 * offset of the page size in the first page.
 */
const MAGIC = 0xbeef_c0de;
const MAGIC_AT = 24;
const PAGE_BYTES_AT = 48;
const HEAD_BYTES = 128 * 1024;

interface LmdbFile {
  readonly root: LmdbRoot;
  /** Size of the file when it was opened, in bytes. */
  readonly bytes: number;
  /**
   * Size of the file according to LMDB, in bytes. Missing bytes were filled with zeros. A shorter file is not
   * always truncated, because LMDB does not write pages that one transaction allocated and freed.
   */
  readonly bytesDue: number;
  /** LMDB's reader table before this process was added. */
  readonly readers: string;
}

/**
 * Opens an LMDB file, creating it if it is missing. All data is in named tables.
 *
 * @throws {Error} if it is not an LMDB file, or the system's error.
 */
export function openLmdbFile(file: string, maxDbs: number): LmdbFile {
  assertIsLmdb(file);
  const root = open<Buffer, Key>({
    path: file,
    noSubdir: true,
    maxDbs,
    encoding: 'binary',
    // A transaction resolves once it is on disk.
    overlappingSync: false,
    // Batches have an internal promise whose rejection would end the process.
    eventTurnBatching: false,
  });
  // A transaction needs no reader entry and prevents others from extending the file.
  return root.transactionSync(() => {
    const { pageSize, lastPageNumber } = root.getStats() as { pageSize: number; lastPageNumber: number };
    const bytesDue = (lastPageNumber + 1) * pageSize;
    const bytes = statSync(file).size;
    // Reading beyond the end of the file would crash the process.
    if (bytes < bytesDue) truncateSync(file, bytesDue);
    return { root, bytes, bytesDue, readers: root.readerList() };
  });
}

/**
 * Checks that a file is a complete LMDB file or does not exist.
 *
 * @throws {Error} as in {@link openLmdbFile}, and for a truncated file.
 */
export function assertLmdbFile(file: string): void {
  const { root, bytes, bytesDue } = openLmdbFile(file, 1);
  // Nothing was written, so closing is complete when the call returns.
  void root.close();
  if (bytes < bytesDue) throw new Error(`its file ends after ${bytes} of ${bytesDue} bytes`);
}

/** Number of reads of a file without an LMDB header, and the pause between them, in ms. */
const TRIES = 5;
const PAUSE_MS = 10;

/** Checks the magic number, because the native code crashes the process on other files. */
function assertIsLmdb(file: string): void {
  for (let tries = 1; !isLmdb(file); tries += 1) {
    if (tries === TRIES) throw new Error('its file was not written by this program, or is truncated');
    // Another process may be creating the file: its first two pages are not written at once.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

function isLmdb(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return true;
  const head = Buffer.alloc(HEAD_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head);
  } finally {
    closeSync(descriptor);
  }
  const pageBytes = head.readUInt32LE(PAGE_BYTES_AT);
  const isWhole = pageBytes <= HEAD_BYTES / 2 && size >= 2 * pageBytes;
  return isWhole && [0, pageBytes].every((page) => head.readUInt32LE(page + MAGIC_AT) === MAGIC);
}

/**
 * Returns the reason why a transaction failed. LMDB reports it through a separate promise, and an unhandled
 * rejection would end the process.
 */
export async function commitFailure(failure: unknown): Promise<unknown> {
  const { commitError } = failure as { commitError?: Promise<never> };
  return commitError === undefined ? failure : commitError.catch((reason: unknown) => reason);
}
