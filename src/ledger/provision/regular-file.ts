import { readFileSync, statSync } from 'node:fs';
import { fileFault, readFault } from './provision-fault.ts';

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
