import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The file descriptor of the version file in a worker: after stdin, stdout, stderr and the channel. */
export const VERSION_FD = 4;

const COUNT = 2 ** 32;

/** The version of a read that overlaps a change: such a read is not cached. */
export const NO_VERSION = -1;

/**
 * The version of the ledgers, readable by other processes without a call: a number in an unlinked file. It
 * changes with each change of a ledger, before the author of the change is answered.
 */
export class VersionFile {
  /** The file descriptor to pass to other processes. */
  readonly fd: number;
  readonly #bytes = new Uint32Array(1);

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'spl-private-payments-'));
    this.fd = openSync(join(folder, 'version'), 'w+', 0o600);
    rmSync(folder, { recursive: true });
    this.#write();
  }

  get version(): number {
    return this.#bytes[0] as number;
  }

  /** Records a change. */
  advance(): void {
    this.#bytes[0] = (this.version + 1) % COUNT;
    this.#write();
  }

  close(): void {
    closeSync(this.fd);
  }

  #write(): void {
    writeSync(this.fd, this.#bytes, 0, 4, 0);
  }
}

/** Reads the version from the shared file. */
export function createVersionReader(fd: number): () => number {
  const bytes = new Uint32Array(1);
  return () => {
    readSync(fd, bytes, 0, 4, 0);
    return bytes[0] as number;
  };
}
