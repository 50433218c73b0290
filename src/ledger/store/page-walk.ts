import type { DataTest } from '../state/steady-entries.ts';
import type { KeyRange } from './account-keys.ts';
import { bigValueAt, findBigValueFault } from './big-value.ts';
import { Branches, BRANCHES_AT_ONCE, Children, pageOfChild } from './branches.ts';
import {
  BIG_VALUE_FLAG,
  BRANCH_FLAG,
  HEADER_BYTES,
  KEY_AT,
  KEY_BYTES_AT,
  LEAF_FLAG,
  NODE_FLAGS_AT,
  type Tree,
} from './lmdb-layout.ts';
import type { OpenFile } from './open-file.ts';
import {
  compareKeys,
  findPageFault,
  type KeyBytes,
  keyOf,
  nodeAt,
  nodeCountAt,
  numberAt,
  type PageBytes,
  type PagePlace,
  pagesOf,
} from './tree-page.ts';

/**
 * Pages read at once at most. So many that are not wanted are read along: a call more takes 1 us, a page more
 * 0.2 us where it is in a cache of the processor. In a large ledger none is, and one was the cheapest of 0 to
 * 5 (measured).
 */
const PAGES_AT_ONCE = 64;
const UNWANTED_MAX = 1;

/** How much is read before the first entry is given. */
interface ReadAhead {
  readonly branches: number;
  readonly pages: number;
}

/** For a walk to the end. */
const TO_THE_END: ReadAhead = { branches: BRANCHES_AT_ONCE, pages: PAGES_AT_ONCE };

/** For one that is given up where it is long: 1 MB is read before the first of 100,000 accounts otherwise. */
const FEW_AHEAD: ReadAhead = { branches: 4, pages: 4 };

/**
 * A value of at least this many bytes is tested by its first page before the rest is read. So many bytes of
 * values with pages of their own may be read for one look: it takes some 30 us.
 */
const LOOK_BYTES = 64 * 1024;

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
  #ahead = TO_THE_END;
  /** The pages that are left of each level; the last is of leaves. */
  readonly #levels: (Children | undefined)[];
  /** Of each level, what told of its pages; nothing of the root. */
  readonly #branches: (Branches | undefined)[] = [];
  /** Pages that were turned to. */
  #pagesMet = 0;
  /** The pages that were read last, from the one number to before the other. */
  #pages: PageBytes = pagesOf(0);
  #runFrom = 0;
  #runTo = 0;
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
    this.#range = range && { start: keyOf(range.start), end: keyOf(range.end) };
    this.#damage = damage;
    const root = Children.ofRoot(tree.root, { from: null, to: null, commit: state.commit });
    this.#levels = Array.from({ length: tree.depth }, (_, level) => (level === 0 ? root : undefined));
  }

  /** Has few pages read at once: for a walk that may be given up soon. */
  readFewAhead(): void {
    this.#ahead = FEW_AHEAD;
  }

  /**
   * Moves to the next page with entries; false if there is none.
   *
   * @throws {ServiceError} LEDGER_DAMAGED, LEDGER_STOPPED.
   */
  nextPage(): boolean {
    const leaves = this.#findLeaves();
    if (leaves === undefined) {
      for (const branches of this.#branches.splice(0)) branches?.release();
      return false;
    }
    if (leaves.nextPage >= this.#runTo) this.#readRun(leaves);
    this.#openLeaf(leaves);
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

  /** Moves to the next entry of the page in the range, for its key alone; false if none is left. */
  nextKey(): boolean {
    const { words } = this.#pages;
    const body = this.#pageAt + HEADER_BYTES;
    while (this.hasMore) {
      const at = nodeAt(words, body, this.#node++);
      this.#keyFrom = at + KEY_AT;
      this.#keyTo = this.#keyFrom + (words[(at + KEY_BYTES_AT) >> 1] as number);
      if (this.#isInRange({ words, from: this.#keyFrom, to: this.#keyTo })) return true;
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

  /** The leaves that are left, in the order of the file; those of some branches if there were none. */
  #findLeaves(): Children | undefined {
    const levels = this.#levels;
    for (let level = levels.length - 1; level >= 0; level--) {
      const pages = levels[level];
      if (pages === undefined || pages.left === 0) continue;
      if (level === levels.length - 1) return pages;
      this.#branches[level + 1]?.release();
      this.#branches[level + 1] = undefined;
      const branches = this.#openBranches(pages);
      this.#branches[level + 1] = branches;
      levels[level + 1] = this.#childrenOf(branches);
      // Down again to what was found.
      level += 2;
    }
    return undefined;
  }

  /** Reads the next of these pages, and those that lie behind it. */
  #readRun(leaves: Children): void {
    this.#runFrom = leaves.nextPage;
    this.#runTo = leaves.endOfRun(UNWANTED_MAX, this.#ahead.pages);
    const length = (this.#runTo - this.#runFrom) * this.#state.pageBytes;
    if (this.#pages.bytes.length < length) this.#pages = pagesOf(length);
    this.#readPages(this.#pages.bytes, length, this.#runFrom);
  }

  #readPages(into: Buffer, length: number, first: number): void {
    if (this.#file.read(into, length, first * this.#state.pageBytes) < length) {
      throw this.#damaged(first, 'is not in the file');
    }
  }

  /** Turns to the next of these pages, which was read. */
  #openLeaf(leaves: Children): void {
    const leaf = leaves.take();
    const number = pageOfChild(leaf);
    this.#pageAt = (number - this.#runFrom) * this.#state.pageBytes;
    this.#check(this.#pages, this.#pageAt, number, LEAF_FLAG, leaves.placeOf(leaf));
    this.#node = 0;
    this.#nodeCount = nodeCountAt(this.#pages.words, this.#pageAt);
  }

  /** The children of the next of these pages that may have entries of the range. */
  #openBranches(pages: Children): Branches {
    const { pageBytes } = this.#state;
    const count = Math.min(pages.left, this.#ahead.branches);
    const branches = new Branches(count, pageBytes);
    for (let branch = 0; branch < count; branch++) {
      const at = branches.nextAt;
      const child = pages.take();
      const number = pageOfChild(child);
      const place = pages.placeOf(child);
      this.#readPages(branches.pages.bytes.subarray(at), pageBytes, number);
      this.#check(branches.pages, at, number, BRANCH_FLAG, place);
      const outside = branches.add(place, this.#mayBeIn);
      if (outside !== null) throw this.#damaged(outside, 'is not in the file');
    }
    return branches;
  }

  #childrenOf({ children }: Branches): Children {
    // What was read of other leaves is not what is waited for now.
    this.#runTo = 0;
    const twice = children.findTwice();
    if (twice !== null) throw this.#damaged(twice, 'has two places in the tree');
    return children;
  }

  #check(pages: PageBytes, at: number, number: number, kind: number, place: PagePlace): void {
    const { pageBytes } = this.#state;
    const fault = findPageFault(pages.words, at, { pageBytes, number, kind, place });
    if (fault !== null) throw this.#damaged(number, fault);
    if (++this.#pagesMet > this.#tree.pages) throw this.#damaged(number, 'is one more than the tree has');
  }

  #isInRange(key: KeyBytes): boolean {
    if (this.#range === null) return true;
    const { start, end } = this.#range;
    return compareKeys(key, start) >= 0 && compareKeys(key, end) < 0;
  }

  /** Whether keys from `from` to before `to` may be of the range. */
  readonly #mayBeIn = (from: KeyBytes | null, to: KeyBytes | null): boolean => {
    if (this.#range === null) return true;
    const { start, end } = this.#range;
    if (to !== null && compareKeys(to, start) <= 0) return false;
    return from === null || compareKeys(from, end) < 0;
  };

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
