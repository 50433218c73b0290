import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { inspect } from 'node:util';

const CONCEALED = '[secret]';

/** A secret value. Printing it, or an object that contains it, shows a placeholder. */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** Returns the value itself. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return CONCEALED;
  }

  toJSON(): string {
    return CONCEALED;
  }

  [inspect.custom](): string {
    return CONCEALED;
  }
}

/** Maximum size of a secret file. A key file of the Solana CLI has fewer than 300 bytes. */
const FILE_BYTES_MAX = 4_096;
/** Permission bits of the group and of others, as ssh checks for its key files. */
const RIGHTS_OF_OTHERS = 0o077;

/**
 * Reads the text of a secret file and trims it.
 *
 * @throws {RangeError} if the file cannot be read, is too large, or can be opened by other users. The message
 *   completes "<NAME> ..." and does not quote the file.
 */
export function readSecretFile(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    // Check the open file, because the path could point to a different file by now.
    const stats = fstatSync(file);
    const { mode, size } = stats;
    if ((mode & RIGHTS_OF_OTHERS) !== 0) {
      throw new RangeError('names a file that other users can open: run chmod 600 on it');
    }
    if (!stats.isFile()) throw new RangeError('does not name a file: set the path of a file');
    if (size > FILE_BYTES_MAX)
      throw new RangeError(
        `names a file of more than ${FILE_BYTES_MAX} bytes, too large for a secret: set another path`,
      );
    const bytes = Buffer.alloc(size);
    return bytes.subarray(0, readSync(file, bytes)).toString().trim();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new RangeError(
      `names a file that cannot be read (${code ?? 'unknown reason'}): check its path and permissions`,
      { cause: error },
    );
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
