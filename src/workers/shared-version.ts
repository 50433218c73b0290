import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a worker finds the file of the version: after stdin, stdout, stderr and the channel. */
export const VERSION_FD = 4;

const COUNT = 2 ** 32;

/** That of what is read between a change and its being noted: no version, so that nothing is remembered of it. */
export const NO_VERSION = -1;

/**
 * The version of a ledger, where other processes can read it without asking: in a file that has no name any more. It is
 * another one after each change, written before whoever made the change hears of it.
 */
export class VersionFile {
  /** To be passed on to processes. */
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

  /** Something has changed. */
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

/** Reads the version that another process writes. */
export function createVersionReader(fd: number): () => number {
  const bytes = new Uint32Array(1);
  return () => {
    readSync(fd, bytes, 0, 4, 0);
    return bytes[0] as number;
  };
}
