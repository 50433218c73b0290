import { readFileSync } from 'node:fs';
import { fileFault, readFault } from './provision-fault.ts';

/** How an ELF file begins. */
const ELF_MAGIC = '\x7fELF';

/**
 * The code of a program from a `.so` file, as `cargo build-sbf` and `solana program dump` write it.
 *
 * @throws {ServiceError} PROVISION_INVALID when it cannot be read or is no ELF file.
 */
export function readProgramFile(path: string): Uint8Array {
  const bytes = readBytes(path);
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== ELF_MAGIC) {
    throw fileFault(path, 'is not a program: it is no ELF file');
  }
  return bytes;
}

function readBytes(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    throw readFault(path, error);
  }
}
