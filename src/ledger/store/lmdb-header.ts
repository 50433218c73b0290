import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ledgerDamaged } from './damage.ts';
import { findMissingPage } from './lmdb-pages.ts';

/**
 * The head of an LMDB file as lmdb 3 writes it. Each of the first two pages has a header of 24 bytes with its
 * number (u64) at 0 and its flags (u16) at 18, followed by the meta (MDB_meta): magic u32, version u32,
 * address u64, map size u64, the two trees that every file has (48 bytes each, with the page size u32 at the
 * start of the first and the root u64 at the end), the number of the last page u64, and the transaction that
 * wrote it u64.
 */
/** Only the bytes that the number of a head page can occupy. */
const NUMBER_BYTES = 4;
const FLAGS_AT = 18;
const META_FLAG = 0x08;
const MAGIC_AT = 24;
const MAGIC = 0xbeef_c0de;
const VERSION_AT = 28;
const VERSION = 2;
const PAGE_BYTES_AT = 48;
const ROOTS_AT = [88, 136] as const;
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const HEAD_BYTES = 160;

/** The leading bytes that identify our files, with their offsets. */
const MARKS: readonly { readonly at: number; readonly bytes: Buffer }[] = [
  { at: FLAGS_AT, bytes: littleEndian(META_FLAG, 2) },
  { at: MAGIC_AT, bytes: littleEndian(MAGIC, 4) },
  { at: VERSION_AT, bytes: littleEndian(VERSION, 4) },
];

/**
 * Checks that a non-empty file starts like an LMDB file and is complete. The native code does not reject
 * other files but crashes the process: an access beyond the end of the mapped file is a SIGBUS.
 *
 * @throws {ServiceError} LEDGER_DAMAGED if one of our files was truncated.
 * @throws {Error} if the file is not a ledger, or the system's error.
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
    const size = fstatSync(descriptor).size;
    if (size > 0) assertWhole(file, descriptor, size);
  } finally {
    closeSync(descriptor);
  }
}

function assertWhole(file: string, descriptor: number, size: number): void {
  const place = { folder: dirname(file), file: basename(file) };
  const cutOff = (what: string): Error =>
    ledgerDamaged({ ...place, offset: size }, `the file ends there, and ${what} came after it`);
  const readHead = (page: number, position: number): Buffer => {
    const head = Buffer.alloc(HEAD_BYTES);
    const there = head.subarray(0, readSync(descriptor, head, 0, HEAD_BYTES, position));
    if (!isHead(there, page)) throw new Error('its file is damaged or was not written by this program');
    if (there.length < HEAD_BYTES) throw cutOff('the rest of its head');
    return head;
  };
  const first = readHead(0, 0);
  const pageBytes = first.readUInt32LE(PAGE_BYTES_AT);
  const second = readHead(1, pageBytes);
  const newest =
    second.readBigUInt64LE(TRANSACTION_AT) > first.readBigUInt64LE(TRANSACTION_AT) ? second : first;
  // LMDB does not write trailing pages that one transaction allocated and freed, so a complete file may be
  // shorter.
  if (size >= (Number(newest.readBigUInt64LE(LAST_PAGE_AT)) + 1) * pageBytes) return;
  const roots = ROOTS_AT.map((at) => newest.readBigUInt64LE(at));
  const missing = findMissingPage({ descriptor, size, pageBytes }, roots);
  if (missing !== null) throw cutOff(`page ${missing}, which has ${pageBytes} bytes and is needed,`);
}

/** Whether these bytes, possibly only the first few, are the head of a page of our files. */
function isHead(bytes: Buffer, page: number): boolean {
  return [{ at: 0, bytes: littleEndian(page, NUMBER_BYTES) }, ...MARKS].every(({ at, bytes: mark }) => {
    const there = bytes.subarray(at, at + mark.length);
    return there.equals(mark.subarray(0, there.length));
  });
}

function littleEndian(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntLE(value, 0, length);
  return bytes;
}
