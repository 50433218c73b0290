import { readRegularFile } from './regular-file.ts';
import { fileFault } from './provision-fault.ts';

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
  if (!isElf(bytes)) throw fileFault(path, 'is not a program: it is no ELF file');
  return bytes;
}

/** Whether bytes start like an ELF file. */
export function isElf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, ELF_MAGIC.length)).toString('latin1') === ELF_MAGIC;
}
