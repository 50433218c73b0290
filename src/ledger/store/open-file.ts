import { closeSync, openSync, readSync } from 'node:fs';
import { ServiceError } from '../../errors/service-error.ts';

/** A file that is read while somebody may close it. */
export class OpenFile {
  #descriptor: number | null;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r');
  }

  /**
   * Reads into the start of a buffer; returns how many bytes there were.
   *
   * @throws {ServiceError} LEDGER_STOPPED once it is closed.
   */
  read(into: Buffer, length: number, position: number): number {
    // Its number may be that of another file by now.
    if (this.#descriptor === null) throw ledgerStopped();
    return readSync(this.#descriptor, into, 0, length, position);
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}

/** For reads that go on while the ledger is closed. */
export function ledgerStopped(): ServiceError {
  return new ServiceError('LEDGER_STOPPED', 'The ledger is shutting down');
}
