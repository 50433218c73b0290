import { readFileSync, statSync } from 'node:fs';
import { fileFault, readFault } from './provision-fault.ts';

const MIB = 1024 * 1024;

/**
 * The bytes of a regular file. A device or a pipe is refused: it may never end, or have nothing to read for
 * as long as one likes.
 *
 * @throws {ServiceError} PROVISION_INVALID when it cannot be read, is no file or has more than `bytesMax`
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
  // Told as reading it would tell it.
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
