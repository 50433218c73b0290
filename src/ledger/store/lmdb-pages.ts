import { readSync } from 'node:fs';
import {
  BIG_VALUE_FLAG,
  BIG_VALUE_PAGES_AT,
  BRANCH_FLAG,
  FLAGS_AT,
  HEADER_BYTES,
  KEY_AT,
  KEY_BYTES_AT,
  LEAF_FLAG,
  NO_PAGE,
  NODE_FLAGS_AT,
  PLACE_BYTES,
  PLACES_BYTES_AT,
  TREE_FLAG,
  TREE_ROOT_AT,
} from './lmdb-layout.ts';

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
