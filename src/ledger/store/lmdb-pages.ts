import { readSync } from 'node:fs';

/**
 * A page of a tree in an LMDB file as lmdb 3 writes it (MDB_page, MDB_node, MDB_db, MDB_ovpage of its mdb.c).
 * The header of 24 bytes has its number u64 at 0, its flags u16 at 18, and at 20 the size u16 of the offset
 * table of its nodes, which follows the header, u16 each, counted from its end. A node is the lower 32 bits
 * of a page number or a length, flags or the upper 16 bits u16, the length of its key u16, the key, the
 * value.
 */
const FLAGS_AT = 18;
const BRANCH_FLAG = 0x01;
const LEAF_FLAG = 0x02;
const PLACES_BYTES_AT = 20;
const HEADER_BYTES = 24;
const PLACE_BYTES = 2;
const NODE_FLAGS_AT = 4;
const KEY_BYTES_AT = 6;
const KEY_AT = 8;
/** The value is on overflow pages: number of the first u64, transaction u64, page count u64. */
const BIG_VALUE_FLAG = 0x01;
const BIG_VALUE_PAGES_AT = 16;
/** The value is a tree; its root u64 is here. */
const TREE_FLAG = 0x02;
const TREE_ROOT_AT = 40;
/** The root of an empty tree. */
const NO_PAGE = 0xffff_ffff_ffff_ffffn;

/** A file of pages. */
interface PagedFile {
  readonly descriptor: number;
  /** Bytes of the file. */
  readonly size: number;
  readonly pageBytes: number;
}

/** The references of a tree page. */
interface Links {
  /** Child pages, and roots of nested trees. */
  readonly below: readonly bigint[];
  /** Overflow pages of values, each as the first number and the number behind the last. */
  readonly values: readonly (readonly [first: bigint, end: bigint])[];
}

/**
 * Walks trees, and the trees inside them, page by page from their roots. Overflow pages are only checked to
 * lie inside the file. Returns the number of a page that is outside the file or not a tree page; null if
 * there is none.
 */
export function findMissingPage(file: PagedFile, roots: readonly bigint[]): bigint | null {
  const waiting = roots.filter((root) => root !== NO_PAGE);
  const pageCount = BigInt(Math.floor(file.size / file.pageBytes));
  // More visits than pages means there is a cycle.
  for (let visits = 0n; waiting.length > 0; visits++) {
    const number = waiting.pop() as bigint;
    const links = number < pageCount && visits < pageCount ? readLinks(file, number) : null;
    if (links === null) return number;
    const value = links.values.find(([, end]) => end > pageCount);
    if (value !== undefined) return value[0];
    for (const page of links.below) waiting.push(page);
  }
  return null;
}

/** Null if the page is not a tree page. */
function readLinks({ descriptor, pageBytes }: PagedFile, number: bigint): Links | null {
  const page = Buffer.alloc(pageBytes);
  if (readSync(descriptor, page, 0, pageBytes, number * BigInt(pageBytes)) < pageBytes) return null;
  if (page.readBigUInt64LE(0) !== number) return null;
  const flags = page.readUInt16LE(FLAGS_AT);
  try {
    if ((flags & BRANCH_FLAG) !== 0) return { below: nodesOf(page).map(pageOfBranch), values: [] };
    return (flags & LEAF_FLAG) === 0 ? null : linksOfLeaf(nodesOf(page));
  } catch (error) {
    // An offset pointed outside the page.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function nodesOf(page: Buffer): Buffer[] {
  const body = page.subarray(HEADER_BYTES);
  const count = page.readUInt16LE(PLACES_BYTES_AT) / PLACE_BYTES;
  return Array.from({ length: count }, (_, index) => body.subarray(body.readUInt16LE(index * PLACE_BYTES)));
}

function pageOfBranch(node: Buffer): bigint {
  return (BigInt(node.readUInt16LE(NODE_FLAGS_AT)) << 32n) | BigInt(node.readUInt32LE(0));
}

function linksOfLeaf(nodes: readonly Buffer[]): Links {
  const below: bigint[] = [];
  const values: [bigint, bigint][] = [];
  for (const node of nodes) {
    const flags = node.readUInt16LE(NODE_FLAGS_AT);
    const value = node.subarray(KEY_AT + node.readUInt16LE(KEY_BYTES_AT));
    if ((flags & TREE_FLAG) !== 0) below.push(value.readBigUInt64LE(TREE_ROOT_AT));
    if ((flags & BIG_VALUE_FLAG) === 0) continue;
    const first = value.readBigUInt64LE(0);
    values.push([first, first + value.readBigUInt64LE(BIG_VALUE_PAGES_AT)]);
  }
  return { below: below.filter((root) => root !== NO_PAGE), values };
}
