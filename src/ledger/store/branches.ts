import { HEADER_BYTES, KEY_AT, KEY_BYTES_AT, NODE_FLAGS_AT } from './lmdb-layout.ts';
import {
  commitAt,
  type KeyBytes,
  nodeAt,
  nodeCountAt,
  numberAt,
  type PageBytes,
  type PagePlace,
  pagesOf,
} from './tree-page.ts';

const HIGH_WORD = 2 ** 32;

/**
 * A child is one number, as thousands of objects would not stay in the cache of a processor: above is that of
 * its page, below which branch tells of it, and in which node. No page of 64 KiB, the largest of LMDB, has
 * more nodes.
 */
const NODES = 2 ** 13;
const BRANCHES = 2 ** 8;
const PAGE_UNIT = BRANCHES * NODES;

/** Pages from here on are in no file: 2^32, or 16 TiB where a page has 4 KiB. */
const PAGES_MAX = (Number.MAX_SAFE_INTEGER + 1) / PAGE_UNIT;

/** Branch pages whose children are put into the order of the file together: the more, the fewer calls. */
export const BRANCHES_AT_ONCE = BRANCHES;

/** The number of the page of a child. */
export const pageOfChild = (child: number): number => Math.floor(child / PAGE_UNIT);

/** Pages that are waited for, in the order of the file, and what is said of each. */
export class Children {
  /** What the page above says of a child. */
  readonly placeOf: (child: number) => PagePlace;
  readonly #sorted: Float64Array;
  #next = 0;

  constructor(sorted: Float64Array, placeOf: (child: number) => PagePlace) {
    this.#sorted = sorted;
    this.placeOf = placeOf;
  }

  /** The first page of a tree alone. */
  static ofRoot(root: number, place: PagePlace): Children {
    return new Children(Float64Array.of(root * PAGE_UNIT), () => place);
  }

  get left(): number {
    return this.#sorted.length - this.#next;
  }

  /** The number of the page of the next child, if there is one. */
  get nextPage(): number {
    return pageOfChild(this.#sorted[this.#next] as number);
  }

  /**
   * Behind which page to stop where those from the next one on are read at once: the first that has more
   * pages before it which are not waited for than it may, or is too far behind.
   */
  endOfRun(unwantedMax: number, pagesMax: number): number {
    const first = this.nextPage;
    let end = first + 1;
    for (let at = this.#next + 1; at < this.#sorted.length; at++) {
      const page = pageOfChild(this.#sorted[at] as number);
      if (page > end + unwantedMax || page >= first + pagesMax) break;
      end = page + 1;
    }
    return end;
  }

  /** The number of a page that two of them have; null if there is none. */
  findTwice(): number | null {
    for (let at = 1; at < this.#sorted.length; at++) {
      const page = pageOfChild(this.#sorted[at] as number);
      if (page === pageOfChild(this.#sorted[at - 1] as number)) return page;
    }
    return null;
  }

  /** The next child, if there is one. */
  take(): number {
    return this.#sorted[this.#next++] as number;
  }
}

/** Memory of walks that ended. New memory for each would have V8 collect garbage every sixty walks. */
const spares: PageBytes[] = [];
const SPARES_MAX = 2;

/** Branch pages that were read, and what they say of their children. */
export class Branches {
  readonly pages: PageBytes;
  readonly #pageBytes: number;
  /** What was said of each of them. */
  readonly #places: PagePlace[] = [];
  readonly #children: number[] = [];

  /** @param count how many at most. */
  constructor(count: number, pageBytes: number) {
    const length = count * pageBytes;
    const spare = spares.pop();
    this.pages = spare !== undefined && spare.bytes.length >= length ? spare : pagesOf(length);
    this.#pageBytes = pageBytes;
  }

  /** Gives its memory to the next: neither it nor its children are asked for anything from now on. */
  release(): void {
    if (spares.length < SPARES_MAX) spares.push(this.pages);
  }

  /** Where in {@link pages} the next one is to lie. */
  get nextAt(): number {
    return this.#places.length * this.#pageBytes;
  }

  /**
   * Takes in the page that was read to {@link nextAt}, which is as LMDB writes it. Returns the number of a
   * page that cannot be in a file; null if all can.
   *
   * @param place what was said of it.
   * @param mayBeWanted whether keys from the one to before the other may be.
   */
  add(place: PagePlace, mayBeWanted: (from: KeyBytes | null, to: KeyBytes | null) => boolean): number | null {
    const at = this.nextAt;
    const branch = this.#places.push(place) - 1;
    const count = nodeCountAt(this.pages.words, at);
    let { from } = place;
    for (let node = 0; node < count; node++) {
      const to = node + 1 < count ? this.#keyOf(at, node + 1) : place.to;
      if (mayBeWanted(from, to)) {
        const page = this.#pageOf(at, node);
        if (page >= PAGES_MAX) return page;
        this.#children.push(page * PAGE_UNIT + branch * NODES + node);
      }
      from = to;
    }
    return null;
  }

  /** The children that were taken in, sorted. */
  get children(): Children {
    const sorted = new Float64Array(this.#children);
    // What is not below zero is in the order of its bits, which V8 sorts in half the time.
    new BigUint64Array(sorted.buffer).sort();
    return new Children(sorted, (child) => this.#placeOf(child));
  }

  #placeOf(child: number): PagePlace {
    const below = child - pageOfChild(child) * PAGE_UNIT;
    const branch = Math.floor(below / NODES);
    const node = below - branch * NODES;
    const at = branch * this.#pageBytes;
    const { from, to } = this.#places[branch] as PagePlace;
    return {
      from: node === 0 ? from : this.#keyOf(at, node),
      to: node + 1 < nodeCountAt(this.pages.words, at) ? this.#keyOf(at, node + 1) : to,
      commit: commitAt(this.pages.words, at),
    };
  }

  #keyOf(at: number, node: number): KeyBytes {
    const { words } = this.pages;
    const from = nodeAt(words, at + HEADER_BYTES, node) + KEY_AT;
    return { words, from, to: from + (words[(from - KEY_AT + KEY_BYTES_AT) >> 1] as number) };
  }

  #pageOf(at: number, node: number): number {
    const { words } = this.pages;
    const from = nodeAt(words, at + HEADER_BYTES, node);
    return (words[(from + NODE_FLAGS_AT) >> 1] as number) * HIGH_WORD + numberAt(words, from >> 1);
  }
}
