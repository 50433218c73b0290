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

/** Pages as they were read: their bytes, and the same memory as numbers of 16 bits. */
export interface PageBytes {
  readonly bytes: Buffer;
  /** LMDB writes in the order of the machine, and nothing that is read here begins on an odd byte. */
  readonly words: Uint16Array;
}

/** Memory of its own for so many bytes of pages. */
export function pagesOf(length: number): PageBytes {
  const bytes = Buffer.allocUnsafeSlow(length);
  return { bytes, words: new Uint16Array(bytes.buffer, bytes.byteOffset, length / 2) };
}

/**
 * A key: the bytes from `from`, which is even, to before `to`. A view of them would cost more than it takes
 * to compare, which by numbers of 16 bits takes half as long as byte by byte.
 */
export interface KeyBytes {
  readonly words: Uint16Array;
  readonly from: number;
  readonly to: number;
}

/** A copy of a key. */
export function keyOf(bytes: Uint8Array): KeyBytes {
  const words = new Uint16Array(Math.ceil(bytes.length / 2));
  new Uint8Array(words.buffer).set(bytes);
  return { words, from: 0, to: bytes.length };
}

/** The keys of a page lie from `from` to before `to`; null for no bound. */
interface KeyBounds {
  readonly from: KeyBytes | null;
  readonly to: KeyBytes | null;
}

/** What the page above says of a page. */
export interface PagePlace extends KeyBounds {
  /** The last transaction that may have written it: who writes a page writes those above it. */
  readonly commit: number;
}

/** What a page has to be. */
interface WantedPage {
  readonly pageBytes: number;
  readonly number: number;
  /** Exactly these flags. */
  readonly kind: number;
  readonly place: PagePlace;
}

/**
 * What of the page at `at` is not as LMDB writes it; null if nothing is. A page that passes is one of this
 * tree: neither another's, nor written after the page above; its nodes fill it without gaps, and
 * their keys lie within the bounds. Values are not looked at.
 */
export function findPageFault(words: Uint16Array, at: number, wanted: WantedPage): string | null {
  const { pageBytes, number, kind, place } = wanted;
  if (longNumberAt(words, at >> 1) !== number) return 'is another page';
  if (((words[(at + FLAGS_AT) >> 1] as number) & KIND_FLAGS) !== kind) return 'is of another kind';
  if (commitAt(words, at) > place.commit) return 'is of a later commit';
  const body = at + HEADER_BYTES;
  const placesTo = body + (words[(at + PLACES_BYTES_AT) >> 1] as number);
  const nodesFrom = body + (words[(at + NODES_AT) >> 1] as number);
  const end = at + pageBytes;
  if (placesTo === body || (placesTo & 1) !== 0 || placesTo > nodesFrom || nodesFrom > end) {
    return 'has no such nodes';
  }
  const places = { body, placesTo, nodesFrom, end };
  const isLeaf = kind === LEAF_FLAG;
  return findNodeFault(words, places, isLeaf) ?? findKeyFault(words, places, isLeaf, place);
}

/** The transaction that wrote the page at `at`. */
export const commitAt = (words: Uint16Array, at: number): number =>
  longNumberAt(words, (at + COMMIT_AT) >> 1);

/** How many nodes the page at `at` has. */
export const nodeCountAt = (words: Uint16Array, at: number): number =>
  (words[(at + PLACES_BYTES_AT) >> 1] as number) / PLACE_BYTES;

/** Where a node begins of the page with this body. */
export const nodeAt = (words: Uint16Array, body: number, node: number): number =>
  body + (words[(body + node * PLACE_BYTES) >> 1] as number);

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
  words: Uint16Array,
  { body, placesTo, nodesFrom, end }: NodePlaces,
  isLeaf: boolean,
): string | null {
  turn = (turn + 1) >>> 0;
  let unused = end - nodesFrom;
  for (let place = body >> 1; place < placesTo >> 1; place++) {
    const offset = words[place] as number;
    const node = body + offset;
    if (node < nodesFrom || node + KEY_AT > end || (offset & 1) !== 0) return 'has nodes elsewhere';
    if (turns[offset >> 1] === turn) return 'has a node twice';
    turns[offset >> 1] = turn;
    const keyTo = node + KEY_AT + (words[(node + KEY_BYTES_AT) >> 1] as number);
    const nodeTo = isLeaf ? keyTo + valueBytesAt(words, node >> 1) : keyTo;
    if (nodeTo > end) return 'has a node that goes on behind it';
    unused -= even(nodeTo - node);
  }
  return unused === 0 ? null : 'lacks nodes';
}

function findKeyFault(
  words: Uint16Array,
  { body, placesTo }: NodePlaces,
  isLeaf: boolean,
  { from, to }: KeyBounds,
): string | null {
  // The first key of a branch has no bytes: it is below all others.
  const first = isLeaf ? body : body + PLACE_BYTES;
  const isWithin =
    (from === null || first === placesTo || compareKeyAt(words, body, first, from) >= 0) &&
    (to === null || compareKeyAt(words, body, placesTo - PLACE_BYTES, to) < 0);
  return isWithin ? null : 'has the keys of another';
}

/** Of a node of a leaf: what lies in the page of its value. No length fits for what is no plain value. */
function valueBytesAt(words: Uint16Array, node: number): number {
  const flags = words[node + NODE_FLAGS_AT / 2] as number;
  if (flags === BIG_VALUE_FLAG) return BIG_VALUE_BYTES;
  return flags === 0 ? numberAt(words, node) : NO_LENGTH;
}

/** The number of 32 bits of which this is the first half. */
export const numberAt = (words: Uint16Array, at: number): number =>
  (words[at] as number) + (words[at + 1] as number) * 0x1_0000;

/** The number of 64 bits of which this is the first quarter. As exact as {@link u64}. */
const longNumberAt = (words: Uint16Array, at: number): number =>
  numberAt(words, at) + numberAt(words, at + 2) * HIGH_WORD;

/** Compares the key of the node that a place tells with another. */
function compareKeyAt(words: Uint16Array, body: number, place: number, key: KeyBytes): number {
  const node = body + (words[place >> 1] as number);
  const from = node + KEY_AT;
  return compareKeys({ words, from, to: from + (words[(node + KEY_BYTES_AT) >> 1] as number) }, key);
}

/**
 * Compares keys in the order of the file. `Buffer` takes longer to begin than most comparisons take.
 */
export function compareKeys(one: KeyBytes, other: KeyBytes): number {
  const { words } = one;
  const { words: otherWords } = other;
  const length = one.to - one.from;
  const otherLength = other.to - other.from;
  const shared = Math.min(length, otherLength);
  let at = one.from >> 1;
  let otherAt = other.from >> 1;
  for (let left = shared; left > 0; left -= 2) {
    const word = words[at++] as number;
    const otherWord = otherWords[otherAt++] as number;
    if (word === otherWord) continue;
    // The byte that comes first is the lower one.
    const difference = (word & 0xff) - (otherWord & 0xff);
    if (difference !== 0) return difference;
    if (left > 1) return (word >> 8) - (otherWord >> 8);
  }
  return length - otherLength;
}

const even = (length: number): number => length + (length & 1);

/** Those of `Buffer` cost three times as much, which is most of a walk. */
export const u16 = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) | ((bytes[at + 1] as number) << 8);

export const u32 = (bytes: Uint8Array, at: number): number =>
  (u16(bytes, at) | (u16(bytes, at + 2) << 16)) >>> 0;

/** Exact below 2^53, which no number of a page or commit reaches. */
export const u64 = (bytes: Uint8Array, at: number): number => u32(bytes, at) + u32(bytes, at + 4) * HIGH_WORD;
