/**
 * A page of a tree in an LMDB file as lmdb 3 writes it (MDB_page, MDB_node, MDB_db, MDB_ovpage of its mdb.c).
 * The header of 24 bytes has its number u64 at 0, the transaction that wrote it u64 at 8, its flags u16 at
 * 18, and at 20 the size u16 of the offset table of its nodes, which follows the header, u16 each, counted
 * from its end. At 22 is where the first of the nodes begins u16, counted alike: from there to the end of the
 * page they lie without gaps, each on an even number of bytes. A node is the lower 32 bits of a page number
 * or a length, flags or the upper 16 bits u16, the length of its key u16, the key, the value.
 */
export const COMMIT_AT = 8;
export const FLAGS_AT = 18;
export const BRANCH_FLAG = 0x01;
export const LEAF_FLAG = 0x02;
/** The first of the pages of one value; at 20 is their number u32. */
export const BIG_VALUE_PAGE_FLAG = 0x04;
/** What a page is; the other flags are of pages in memory. */
export const KIND_FLAGS = 0x6f;
export const PLACES_BYTES_AT = 20;
export const NODES_AT = 22;
export const HEADER_BYTES = 24;
export const PLACE_BYTES = 2;
export const NODE_FLAGS_AT = 4;
export const KEY_BYTES_AT = 6;
export const KEY_AT = 8;
/** The value is on overflow pages: number of the first u64, transaction u64, page count u64. */
export const BIG_VALUE_FLAG = 0x01;
export const BIG_VALUE_PAGES_AT = 16;
export const BIG_VALUE_BYTES = 24;
/**
 * The value is a tree; its depth u16, the numbers of its branch, leaf and overflow pages, of its entries, and
 * its root, u64 each, are here.
 */
export const TREE_FLAG = 0x02;
const TREE_DEPTH_AT = 6;
const TREE_BRANCHES_AT = 8;
const TREE_LEAVES_AT = 16;
const TREE_BIG_VALUE_PAGES_AT = 24;
const TREE_ENTRIES_AT = 32;
export const TREE_ROOT_AT = 40;
/** The root of an empty tree. */
export const NO_PAGE = 0xffff_ffff_ffff_ffffn;

/** A tree of a file. */
export interface Tree {
  /** Its first page; {@link NO_PAGE} if it is empty. */
  readonly root: number;
  /** The pages from there to an entry, both included. */
  readonly depth: number;
  readonly entries: number;
  /** Its branch and leaf pages. */
  readonly pages: number;
  /** The pages of values that have their own. */
  readonly bigValuePages: number;
}

/** The tree whose record (MDB_db) these bytes are. */
export function treeOf(record: Buffer): Tree {
  const numberAt = (at: number): number => Number(record.readBigUInt64LE(at));
  return {
    root: numberAt(TREE_ROOT_AT),
    depth: record.readUInt16LE(TREE_DEPTH_AT),
    entries: numberAt(TREE_ENTRIES_AT),
    pages: numberAt(TREE_BRANCHES_AT) + numberAt(TREE_LEAVES_AT),
    bigValuePages: numberAt(TREE_BIG_VALUE_PAGES_AT),
  };
}
