import type { DataTest } from '../state/steady-entries.ts';
import type { KeyRange } from './account-keys.ts';
import {
  BIG_VALUE_FLAG,
  BRANCH_FLAG,
  HEADER_BYTES,
  KEY_AT,
  KEY_BYTES_AT,
  LEAF_FLAG,
  NODE_FLAGS_AT,
  PLACE_BYTES,
  PLACES_BYTES_AT,
  type Tree,
} from './lmdb-layout.ts';
import { bigValueAt, findBigValueFault } from './big-value.ts';
import type { OpenFile } from './open-file.ts';
import {
  commitAt,
  compareKeys,
  findPageFault,
  type KeyBytes,
  numberAt,
  type PageBytes,
  type PagePlace,
} from './tree-page.ts';

/**
 * Pages read at once at most. So many that are not wanted are read along: a page more takes 0.2 us, a call
 * more 1 us (measured).
 */
const PAGES_AT_ONCE = 64;
const UNWANTED_MAX = 5;

/** Branch pages whose children are put into the order of the file together: the more, the fewer calls. */
const BRANCHES_AT_ONCE = 256;

/**
 * A value of at least this many bytes is tested by its first page before the rest is read. So many bytes of
 * values with pages of their own may be read for one look: it takes some 30 us.
 */
const LOOK_BYTES = 64 * 1024;

const HIGH_WORD = 2 ** 32;

/** A moment of a file of pages. */
interface FileState {
  /** Bytes of a page. */
  readonly pageBytes: number;
  /** No page of the moment was written by a later transaction. */
  readonly commit: number;
}

/** How to say that a page is not what it should be. */
type Damage = (what: string) => Error;

/**
 * Goes through the entries of a tree of an LMDB file, page by page: lmdb itself gives one entry for each
 * call. The order means nothing, and neighbours of the range are among them. The read transaction of lmdb's
 * in which the tree was found has to be open until the end: until then none of its pages is used again. Each
 * page is held against what the pages above it say.
 */
export class PageWalk {
  readonly #file: OpenFile;
  readonly #state: FileState;
  readonly #tree: Tree;
  /** What is asked for; null for all entries. */
  readonly #range: { readonly start: KeyBytes; readonly end: KeyBytes } | null;
  readonly #damage: Damage;
  /** The numbers of the pages that are left of each level, the next one last; the last level is of leaves. */
  readonly #levels: number[][];
  /** What is said of each of those pages. */
  readonly #places = new Map<number, PagePlace>();
  /** Pages that were turned to. */
  #pagesMet = 0;
  /** What was read last, the numbers of the leaves in it, and which of them is the present one. */
  #pages: PageBytes = pagesOf(0);
  #run: readonly number[] = [];
  #inRun = 0;
  /** Where the present page begins. */
  #pageAt = 0;
  /** The entry of the page that is looked at next. */
  #node = 0;
  #nodeCount = 0;
  /** The entry that passed last. */
  #keyFrom = 0;
  #keyTo = 0;
  #value: Buffer = Buffer.alloc(0);
  /** The entries of the pages that were turned to. */
  #found = 0;
  /** Bytes that were read of values with pages of their own, and for which no look was taken. */
  #bytesRead = 0;

  /** @param range null for all entries. */
  constructor(file: OpenFile, state: FileState, tree: Tree, range: KeyRange | null, damage: Damage) {
    this.#file = file;
    this.#state = state;
    this.#tree = tree;
    this.#range = range && { start: allOf(range.start), end: allOf(range.end) };
    this.#damage = damage;
    this.#levels = Array.from({ length: tree.depth }, () => []);
    if (this.#levels[0] !== undefined) {
      this.#await(tree.root, { from: null, to: null, commit: state.commit }, this.#levels[0]);
    }
  }

  /**
   * Moves to the next page with entries; false if there is none.
   *
   * @throws {ServiceError} LEDGER_DAMAGED, LEDGER_STOPPED.
   */
  nextPage(): boolean {
    if (this.#inRun === this.#run.length) {
      const leaves = this.#findLeaves();
      if (leaves === undefined) return false;
      this.#readRun(leaves);
    }
    this.#openPage(this.#run[this.#inRun++] as number, LEAF_FLAG);
    this.#found += this.#nodeCount;
    return true;
  }

  /**
   * Checks, after a walk through all entries, that it has met them all.
   *
   * @throws {ServiceError} LEDGER_DAMAGED.
   */
  assertWhole(): void {
    const { entries, pages } = this.#tree;
    if (this.#found !== entries) throw this.#damage(`${this.#found} of ${entries} entries can be found`);
    if (this.#pagesMet !== pages) throw this.#damage(`${this.#pagesMet} of ${pages} pages can be found`);
  }

  /**
   * Moves to the next entry of the page whose value passes; false if none is left, and also where it has read
   * what one look may take: then looks have to be taken before it goes on.
   *
   * @throws {ServiceError} LEDGER_DAMAGED, LEDGER_STOPPED.
   */
  nextWanted(test: DataTest): boolean {
    const { bytes: pages, words } = this.#pages;
    const body = this.#pageAt + HEADER_BYTES;
    while (this.#node < this.#nodeCount && this.#bytesRead < LOOK_BYTES) {
      const at = nodeAt(words, body, this.#node++);
      const keyTo = at + KEY_AT + (words[(at + KEY_BYTES_AT) >> 1] as number);
      const length = numberAt(words, at >> 1);
      const isBig = words[(at + NODE_FLAGS_AT) >> 1] === BIG_VALUE_FLAG;
      const bytes = isBig ? this.#readIfMayPass(keyTo, length, test) : pages;
      const from = isBig ? HEADER_BYTES : keyTo;
      if (bytes === null || !test(bytes, from, from + length)) continue;
      this.#keyFrom = at + KEY_AT;
      this.#keyTo = keyTo;
      this.#value = bytes.subarray(from, from + length);
      return true;
    }
    return false;
  }

  /** How many looks the values took that were read since this was last asked: none for those in the pages. */
  takeLooks(): number {
    const looks = Math.floor(this.#bytesRead / LOOK_BYTES);
    this.#bytesRead -= looks * LOOK_BYTES;
    return looks;
  }

  /** Whether the page has entries that were not looked at. */
  get hasMore(): boolean {
    return this.#node < this.#nodeCount;
  }

  /** A copy of the key. */
  key(): Buffer {
    return Buffer.from(this.#pages.bytes.subarray(this.#keyFrom, this.#keyTo));
  }

  /** The value, in memory that nothing else uses. */
  value(): Buffer {
    return this.#value.buffer === this.#pages.bytes.buffer ? Buffer.from(this.#value) : this.#value;
  }

  /** Has a page visited later, of which no other page knows. */
  #await(page: number, place: PagePlace, level: number[]): void {
    if (this.#places.has(page)) throw this.#damaged(page, 'has two places in the tree');
    this.#places.set(page, place);
    level.push(page);
  }

  /** The leaves that are left, in the order of the file; those of some branches if there were none. */
  #findLeaves(): number[] | undefined {
    for (let level = this.#levels.length - 1; level >= 0; level--) {
      const pages = this.#levels[level] as number[];
      if (pages.length === 0) continue;
      const below = this.#levels[level + 1];
      if (below === undefined) return pages;
      for (const page of pages.splice(-BRANCHES_AT_ONCE)) this.#openBranch(page, below);
      sortDown(below);
      // Down again to what was found.
      level += 2;
    }
    return undefined;
  }

  /** Reads the next of these pages, and those that lie behind it. */
  #readRun(pages: number[]): void {
    const first = pages.pop() as number;
    const run = [first];
    for (let last = first; ; run.push(last)) {
      const next = pages.at(-1);
      if (next === undefined || next - last > 1 + UNWANTED_MAX || next - first >= PAGES_AT_ONCE) break;
      last = pages.pop() as number;
    }
    this.#read(first, (run.at(-1) as number) + 1 - first);
    this.#run = run;
    this.#inRun = 0;
  }

  #read(first: number, count: number): void {
    const { pageBytes } = this.#state;
    const length = count * pageBytes;
    if (this.#pages.bytes.length < length) this.#pages = pagesOf(length);
    if (this.#file.read(this.#pages.bytes, length, first * pageBytes) < length) {
      throw this.#damaged(first, 'is not in the file');
    }
    this.#run = [first];
  }

  /** Turns to a page that was read. Returns what was said of it. */
  #openPage(number: number, kind: number): PagePlace {
    const place = this.#places.get(number) as PagePlace;
    this.#places.delete(number);
    const { pageBytes } = this.#state;
    this.#pageAt = (number - (this.#run[0] as number)) * pageBytes;
    const fault = findPageFault(this.#pages, this.#pageAt, { pageBytes, number, kind, place });
    if (fault !== null) throw this.#damaged(number, fault);
    if (++this.#pagesMet > this.#tree.pages) throw this.#damaged(number, 'is one more than the tree has');
    this.#node = 0;
    const placesBytes = this.#pages.words[(this.#pageAt + PLACES_BYTES_AT) >> 1] as number;
    this.#nodeCount = placesBytes / PLACE_BYTES;
    return place;
  }

  /** Adds the children that may have entries of the range. */
  #openBranch(page: number, children: number[]): void {
    this.#read(page, 1);
    const place = this.#openPage(page, BRANCH_FLAG);
    this.#inRun = this.#run.length;
    // Their bounds are needed when other pages have been read.
    const branch = pagesOf(this.#state.pageBytes);
    this.#pages.bytes.copy(branch.bytes, 0, 0, this.#state.pageBytes);
    const commit = commitAt(branch.bytes, 0);
    let { from } = place;
    for (let node = 0; node < this.#nodeCount; node++) {
      const to = node + 1 < this.#nodeCount ? keyOfBranch(branch, node + 1) : place.to;
      if (this.#mayBeIn(from, to)) this.#await(childOf(branch, node), { from, to, commit }, children);
      from = to;
    }
  }

  /** Whether keys from `from` to before `to` may be of the range. */
  #mayBeIn(from: KeyBytes | null, to: KeyBytes | null): boolean {
    if (this.#range === null) return true;
    const { start, end } = this.#range;
    if (to !== null && compareKeys(to, start) <= 0) return false;
    return from === null || compareKeys(from, end) < 0;
  }

  /** A value that has pages of its own; null for a long one that does not pass by its first page. */
  #readIfMayPass(placeAt: number, length: number, test: DataTest): Buffer | null {
    if (length >= LOOK_BYTES) {
      const head = this.#readBigValue(placeAt, length, this.#state.pageBytes - HEADER_BYTES);
      if (!test(head, HEADER_BYTES, HEADER_BYTES + length)) return null;
    }
    return this.#readBigValue(placeAt, length, length);
  }

  /** The header and first `wanted` bytes of a value of `length` bytes that has pages of its own. */
  #readBigValue(placeAt: number, length: number, wanted: number): Buffer {
    const place = bigValueAt(this.#pages.bytes, placeAt);
    const { pageBytes } = this.#state;
    if (place.pages > this.#tree.bigValuePages || place.pages * pageBytes < HEADER_BYTES + length) {
      throw this.#damaged(place.first, 'has no room for its value');
    }
    const bytes = Buffer.allocUnsafeSlow(HEADER_BYTES + wanted);
    if (this.#file.read(bytes, bytes.length, place.first * pageBytes) < bytes.length) {
      throw this.#damaged(place.first, 'is not in the file');
    }
    const fault = findBigValueFault(bytes, place);
    if (fault !== null) throw this.#damaged(place.first, fault);
    this.#bytesRead += wanted;
    return bytes;
  }

  #damaged(page: number, what: string): Error {
    return this.#damage(`page ${page} ${what},`);
  }
}

/** Memory of its own for so many bytes of pages. */
function pagesOf(length: number): PageBytes {
  const bytes = Buffer.allocUnsafeSlow(length);
  return { bytes, words: new Uint16Array(bytes.buffer, bytes.byteOffset, length / 2) };
}

const allOf = (bytes: Buffer): KeyBytes => ({ bytes, from: 0, to: bytes.length });

/** Where a node begins of the page with this body. */
const nodeAt = (words: Uint16Array, body: number, node: number): number =>
  body + (words[(body + node * PLACE_BYTES) >> 1] as number);

function childOf({ words }: PageBytes, node: number): number {
  const at = nodeAt(words, HEADER_BYTES, node);
  return (words[(at + NODE_FLAGS_AT) >> 1] as number) * HIGH_WORD + numberAt(words, at >> 1);
}

function keyOfBranch({ bytes, words }: PageBytes, node: number): KeyBytes {
  const from = nodeAt(words, HEADER_BYTES, node) + KEY_AT;
  return { bytes, from, to: from + (words[(from - KEY_AT + KEY_BYTES_AT) >> 1] as number) };
}

/** Numbers are sorted a fifth as fast with a function that compares them. */
function sortDown(pages: number[]): void {
  const ascending = Float64Array.from(pages).sort();
  for (let at = 0; at < pages.length; at++) pages[at] = ascending[pages.length - 1 - at] as number;
}
