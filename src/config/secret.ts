import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { inspect } from 'node:util';

const CONCEALED = '[secret]';

/** A setting that must not be shown: printing it, or an object that has it, shows a placeholder. */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself, for the one place that needs it. */
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

/** A secret key as the Solana CLI writes it has less than 300 bytes. */
const FILE_BYTES_MAX = 4_096;
/** Any right of the group or of others, as ssh judges its key files. */
const RIGHTS_OF_OTHERS = 0o077;

/**
 * The text of a file that holds a secret, without outer space.
 *
 * @throws {RangeError} when it cannot be read, is too large, or others than its owner may open it. The
 *   message completes "<NAME> ..." and has nothing of the file in it.
 */
export function readSecretFile(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    // The open file is judged, not the path, which could name another by the time it is read.
    const stats = fstatSync(file);
    const { mode, size } = stats;
    if ((mode & RIGHTS_OF_OTHERS) !== 0) {
      throw new RangeError('names a file that others than its owner may open: run chmod 600 on it');
    }
    if (!stats.isFile()) throw new RangeError('names something that is no file');
    if (size > FILE_BYTES_MAX) throw new RangeError(`names a file of more than ${FILE_BYTES_MAX} bytes`);
    const bytes = Buffer.alloc(size);
    return bytes.subarray(0, readSync(file, bytes)).toString().trim();
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new RangeError(`names a file that cannot be read (${code ?? 'unknown reason'})`, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
