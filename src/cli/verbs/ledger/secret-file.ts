import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { flushFolder } from '../flush-folder.ts';
import { leavingNothingOf } from './leave-nothing.ts';
import { unusable } from '../verb-failure.ts';

/** Text that is written at once, characters. */
const PIECE_LENGTH = 1024 * 1024;

/** For the user alone. */
const FILE_MODE = 0o600;

/** A file that appears under its name once all of it is on the disk. */
export class SecretFile {
  readonly #path: string;
  readonly #beside: string;
  readonly #handle: number;
  readonly #release: () => void;
  #isOpen = true;
  #pending: string[] = [];
  #pendingLength = 0;

  /** @throws {VerbFailure} `config` where a file is there already, or none can be written. */
  constructor(path: string) {
    if (existsSync(path)) throw unusable(`${path} is there already: name a new file`);
    this.#path = path;
    this.#beside = `${path}.${process.pid}`;
    // Before it is there: a signal in between would leave it.
    this.#release = leavingNothingOf(this.#beside);
    try {
      this.#handle = naming(path, () => openSync(this.#beside, 'wx', FILE_MODE));
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  write(text: string): void {
    this.#pending.push(text);
    this.#pendingLength += text.length;
    if (this.#pendingLength >= PIECE_LENGTH) this.#flush();
  }

  /** Puts the file in place. */
  finish(): void {
    naming(this.#path, () => {
      this.#flush();
      fsyncSync(this.#handle);
      this.#close();
      renameSync(this.#beside, this.#path);
      this.#release();
      flushFolder(dirname(this.#path));
    });
  }

  /** Leaves nothing of it. */
  discard(): void {
    this.#close();
    rmSync(this.#beside, { force: true });
    this.#release();
  }

  #close(): void {
    if (!this.#isOpen) return;
    // Not tried again where it fails: the handle may be another file's by then.
    this.#isOpen = false;
    closeSync(this.#handle);
  }

  #flush(): void {
    const bytes = Buffer.from(this.#pending.join(''));
    this.#pending = [];
    this.#pendingLength = 0;
    for (let at = 0; at < bytes.length;) at += writeSync(this.#handle, bytes, at);
  }
}

function naming<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw unusable(`${path} cannot be written (${code ?? 'unknown reason'})`);
  }
}
