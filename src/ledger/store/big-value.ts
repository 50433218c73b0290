import { BIG_VALUE_PAGE_FLAG, BIG_VALUE_PAGES_AT, COMMIT_AT, FLAGS_AT, KIND_FLAGS } from './lmdb-layout.ts';
import { u16, u32, u64 } from './tree-page.ts';

/** In a node; the transaction that wrote the pages lies between the other two. */
const WRITTEN_AT = 8;
/** In the header of the first page: how many there are. */
const PAGE_COUNT_AT = 20;

/** Where a value is that has pages of its own, as its node tells. */
interface BigValuePlace {
  readonly first: number;
  readonly pages: number;
  /** The transaction that wrote them. */
  readonly commit: number;
}

/** The place that is told at `at` (MDB_ovpage of lmdb's mdb.c). */
export function bigValueAt(bytes: Buffer, at: number): BigValuePlace {
  return {
    first: u64(bytes, at),
    pages: u64(bytes, at + BIG_VALUE_PAGES_AT),
    commit: u64(bytes, at + WRITTEN_AT),
  };
}

/** What is wrong with the header of its first page, at the start of `bytes`; null if nothing is. */
export function findBigValueFault(bytes: Buffer, { first, pages, commit }: BigValuePlace): string | null {
  if (u64(bytes, 0) !== first) return 'is another page';
  if ((u16(bytes, FLAGS_AT) & KIND_FLAGS) !== BIG_VALUE_PAGE_FLAG) return 'is of another kind';
  if (u64(bytes, COMMIT_AT) !== commit) return 'is of another commit';
  return u32(bytes, PAGE_COUNT_AT) === pages ? null : 'has another length';
}
