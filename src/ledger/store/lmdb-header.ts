import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * The head of an LMDB file as lmdb 3 writes it: each of the first two pages has a header of 24 bytes with its flags
 * (u16) at 18, then the meta: magic u32, version u32, address u64, map size u64, page size u32.
 */
const FLAGS_AT = 18;
const META_FLAG = 0x08;
const MAGIC_AT = 24;
const MAGIC = 0xbeef_c0de;
const VERSION_AT = 28;
const VERSION = 2;
const PAGE_BYTES_AT = 48;
const HEAD_BYTES = 52;

/**
 * Checks that a file, if there is one with anything in it, begins as an LMDB file does. The native code does not refuse
 * other files but ends the process over them.
 *
 * @throws {Error} saying that the file is no ledger, or the system's error.
 */
export function assertLmdbFile(file: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    if (fstatSync(descriptor).size === 0) return;
    const first = readHead(descriptor, 0);
    readHead(descriptor, first.readUInt32LE(PAGE_BYTES_AT));
  } finally {
    closeSync(descriptor);
  }
}

function readHead(descriptor: number, position: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  const isHead =
    readSync(descriptor, head, 0, HEAD_BYTES, position) === HEAD_BYTES &&
    head.readUInt16LE(FLAGS_AT) === META_FLAG &&
    head.readUInt32LE(MAGIC_AT) === MAGIC &&
    head.readUInt32LE(VERSION_AT) === VERSION;
  if (!isHead) throw new Error('the file in it is damaged or was not written by this program');
  return head;
}
