import {
  BIG_VALUE_BYTES,
  BIG_VALUE_FLAG,
  COMMIT_AT,
  FLAGS_AT,
  HEADER_BYTES,
  KEY_AT,
  KEY_BYTES_AT,
  KIND_FLAGS,
  LEAF_FLAG,
  NODE_FLAGS_AT,
  NODES_AT,
  PLACE_BYTES,
  PLACES_BYTES_AT,
} from './lmdb-layout.ts';

const HIGH_WORD = 2 ** 32;

/** The keys of a page lie from `from` to before `to`; null for no bound. */
export interface KeyBounds {
  readonly from: Buffer | null;
  readonly to: Buffer | null;
}

/** What a page has to be. */
interface WantedPage {
  readonly pageBytes: number;
  readonly number: number;
  /** Exactly these flags. */
  readonly kind: number;
  /** The last transaction that may have written it. */
  readonly commit: number;
  readonly bounds: KeyBounds;
}

/**
 * What of a page is not as LMDB writes it; null if nothing is. A page that passes is one of this tree as of
 * this commit: neither another's, nor written again since; its nodes fill it without gaps, and their keys lie
 * within the bounds. Values are not looked at.
 */
export function findPageFault(bytes: Buffer, at: number, wanted: WantedPage): string | null {
  const { pageBytes, number, kind, commit } = wanted;
  if (u64(bytes, at) !== number) return 'is another page';
  if ((u16(bytes, at + FLAGS_AT) & KIND_FLAGS) !== kind) return 'is of another kind';
  if (u64(bytes, at + COMMIT_AT) > commit) return 'is of a later commit';
  const body = at + HEADER_BYTES;
  const placesTo = body + u16(bytes, at + PLACES_BYTES_AT);
  const nodesFrom = body + u16(bytes, at + NODES_AT);
  const end = at + pageBytes;
  if (placesTo === body || (placesTo & 1) !== (body & 1) || placesTo > nodesFrom || nodesFrom > end) {
    return 'has no such nodes';
  }
  return findNodeFault(bytes, { body, placesTo, nodesFrom, end }, kind === LEAF_FLAG, wanted.bounds);
}

/** Where the nodes of a page are. */
interface NodePlaces {
  readonly body: number;
  readonly placesTo: number;
  readonly nodesFrom: number;
  readonly end: number;
}

/** Longer than any page. */
const NO_LENGTH = 0x100_0000;

/** By half the offset from the body: the turn in which a node began there last. Each page has its turn. */
const turns = new Uint32Array(0x1_0000 / 2);
let turn = 0;

/** Nodes that begin at places of their own, and are as long together as all of them, are all of them. */
function findNodeFault(
  bytes: Buffer,
  { body, placesTo, nodesFrom, end }: NodePlaces,
  isLeaf: boolean,
  { from, to }: KeyBounds,
): string | null {
  turn = (turn + 1) >>> 0;
  let unused = end - nodesFrom;
  for (let place = body; place < placesTo; place += PLACE_BYTES) {
    const offset = u16(bytes, place);
    const node = body + offset;
    if (node < nodesFrom || node + KEY_AT > end || (offset & 1) !== 0) return 'has nodes elsewhere';
    if (turns[offset >> 1] === turn) return 'has a node twice';
    turns[offset >> 1] = turn;
    const keyTo = node + KEY_AT + u16(bytes, node + KEY_BYTES_AT);
    const nodeTo = isLeaf ? keyTo + valueBytesAt(bytes, node) : keyTo;
    if (nodeTo > end) return 'has a node that goes on behind it';
    unused -= even(nodeTo - node);
  }
  if (unused !== 0) return 'lacks nodes';
  // The first key of a branch has no bytes: it is below all others.
  const first = isLeaf ? body : body + PLACE_BYTES;
  const isWithin =
    (from === null || first === placesTo || compareKeyAt(bytes, body, first, from) >= 0) &&
    (to === null || compareKeyAt(bytes, body, placesTo - PLACE_BYTES, to) < 0);
  return isWithin ? null : 'has the keys of another';
}

/** Of a node of a leaf: what lies in the page of its value. No length fits for what is no plain value. */
function valueBytesAt(bytes: Buffer, node: number): number {
  const flags = u16(bytes, node + NODE_FLAGS_AT);
  if (flags === BIG_VALUE_FLAG) return BIG_VALUE_BYTES;
  return flags === 0 ? u32(bytes, node) : NO_LENGTH;
}

/** Compares the key of the node that a place tells with another. */
function compareKeyAt(bytes: Buffer, body: number, place: number, key: Buffer): number {
  const node = body + u16(bytes, place);
  const keyTo = node + KEY_AT + u16(bytes, node + KEY_BYTES_AT);
  return compareKey(bytes, node + KEY_AT, keyTo, key);
}

/**
 * Compares the key in some bytes with another, in the order of the file. `Buffer` takes longer to begin than
 * most comparisons take.
 */
export function compareKey(bytes: Uint8Array, from: number, to: number, key: Uint8Array): number {
  const shared = Math.min(to - from, key.length);
  for (let i = 0; i < shared; i++) {
    const difference = (bytes[from + i] as number) - (key[i] as number);
    if (difference !== 0) return difference;
  }
  return to - from - key.length;
}

const even = (length: number): number => length + (length & 1);

/** Those of `Buffer` cost three times as much, which is most of a walk. */
export const u16 = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) | ((bytes[at + 1] as number) << 8);

export const u32 = (bytes: Uint8Array, at: number): number =>
  (u16(bytes, at) | (u16(bytes, at + 2) << 16)) >>> 0;

/** Exact below 2^53, which no number of a page or commit reaches. */
export const u64 = (bytes: Uint8Array, at: number): number => u32(bytes, at) + u32(bytes, at + 4) * HIGH_WORD;
