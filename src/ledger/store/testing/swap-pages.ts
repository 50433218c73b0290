import { readFileSync, writeFileSync } from 'node:fs';
import { COMMIT_AT, FLAGS_AT, LEAF_FLAG } from '../lmdb-layout.ts';

const PAGE_BYTES = 4096;

/** Where the page with a key is: of those that have had it, the one that was written last. */
function leafOf(bytes: Buffer, key: Buffer): number {
  let found: number | null = null;
  const commitAt = (page: number): bigint => bytes.readBigUInt64LE(page + COMMIT_AT);
  for (let at = 2 * PAGE_BYTES; at < bytes.length; at += PAGE_BYTES) {
    const page = bytes.subarray(at, at + PAGE_BYTES);
    if (page.readUInt16LE(FLAGS_AT) !== LEAF_FLAG || !page.includes(key)) continue;
    if (found === null || commitAt(at) > commitAt(found)) found = at;
  }
  if (found === null) throw new Error('no page has it');
  return found;
}

/**
 * Puts the page of a key where that of another is in an LMDB file, and the other way round, as a disk may
 * that mistakes one place for another.
 */
export function swapPages(file: string, one: Buffer, other: Buffer): void {
  const whole = readFileSync(file);
  const bytes = Buffer.from(whole);
  const [from, to] = [leafOf(whole, one), leafOf(whole, other)];
  if (from === to) throw new Error('they are in one page');
  whole.copy(bytes, from, to, to + PAGE_BYTES);
  whole.copy(bytes, to, from, from + PAGE_BYTES);
  writeFileSync(file, bytes);
}
