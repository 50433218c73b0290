import { readFileSync, statSync } from 'node:fs';
import { ServiceError } from '../../errors/service-error.ts';

const MIB = 1024 * 1024;

/**
 * The bytes of a regular file. Devices and pipes are refused: they may never end, or block for any time.
 *
 * @throws {ServiceError} PROVISION_INVALID if it cannot be read, is not a file or has more than `bytesMax`
 *   bytes.
 */
export function readRegularFile(path: string, bytesMax: number): Buffer {
  const { isFile, size } = look(path);
  if (!isFile) throw fileFault(path, 'is not a file');
  if (size > bytesMax) throw fileFault(path, `has more than ${bytesMax / MIB} MiB`);
  return reading(path, () => readFileSync(path));
}

function look(path: string): { readonly isFile: boolean; readonly size: number } {
  const stats = reading(path, () => statSync(path));
  // The same error as reading it would give.
  if (stats.isDirectory()) throw readFault(path, { code: 'EISDIR' });
  return { isFile: stats.isFile(), size: stats.size };
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw readFault(path, error);
  }
}

/** The error for an input file: PROVISION_INVALID with a message that starts with the path. */
export function fileFault(path: string, what: string, cause?: unknown): ServiceError {
  return new ServiceError('PROVISION_INVALID', `${path} ${what}`, { file: path }, { cause });
}

/** The error for a file that cannot be read, in the system's words for the common causes. */
export function readFault(path: string, error: unknown): ServiceError {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOENT: 'does not exist',
    EISDIR: 'is a folder and not a file',
    ENOTDIR: 'is not a folder',
    EACCES: 'cannot be read by this user',
  };
  return fileFault(path, (code && reasons[code]) ?? `cannot be read${code ? ` (${code})` : ''}`, error);
}

/** The first bytes of an ELF file. */
const ELF_MAGIC = '\x7fELF';

/** Largest account (Agave `MAX_PERMITTED_DATA_LENGTH`), bytes. */
const PROGRAM_BYTES_MAX = 10 * 1024 * 1024;

/**
 * The code of a program from a `.so` file, the output of `cargo build-sbf` and `solana program dump`.
 *
 * @throws {ServiceError} PROVISION_INVALID if it cannot be read, is too long or is not an ELF file.
 */
export function readProgramFile(path: string): Uint8Array {
  const bytes = new Uint8Array(readRegularFile(path, PROGRAM_BYTES_MAX));
  if (!isElf(bytes)) throw fileFault(path, 'is not a program: it is not an ELF file');
  return bytes;
}

/** Whether bytes start like an ELF file. */
export function isElf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, ELF_MAGIC.length)).toString('latin1') === ELF_MAGIC;
}
