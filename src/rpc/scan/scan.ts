import { Base64Text, LongText } from '../../json/long-text.ts';
import {
  Float64,
  type JsonOutput,
  type JsonOutputObject,
  JsonText,
  writeJson,
} from '../../json/write-json.ts';

/**
 * The value that a slow scan yields before it allocates memory. The first time, the scan either continues at
 * once or is abandoned and restarted later.
 */
export const LARGE = Symbol('large');

/** Number of characters added to the answer, or {@link LARGE}. Other requests run only after a number. */
export type ScanStep = number | typeof LARGE;

/**
 * Work in small steps. The ledger may change between steps, except after {@link LARGE}. Until everything is
 * read from the ledger, only {@link LARGE} is yielded.
 */
export type Steps<Result> = Generator<ScanStep, Result>;

/** A result that may be slow to produce. */
export class Scan<Result = JsonOutput> {
  /**
   * Starts producing the result from the current state of the ledger. Each step takes well below a
   * millisecond, except for the snapshot. Exceptions are errors of the method.
   */
  readonly begin: () => Steps<Result>;

  constructor(begin: () => Steps<Result>) {
    this.begin = begin;
  }
}

/**
 * Marks steps as large if there are more than `count` of them. They must read everything from the ledger
 * before their first step.
 */
export function* largeBeyond<Result>(count: number, steps: Steps<Result>): Steps<Result> {
  for (let taken = 0; ; taken++) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (taken === count) yield LARGE;
    yield step.value;
  }
}

/** Appends `value` as written by `writeJson`. Long base64 is appended one piece per step. */
export function* appendInSteps(text: LongText, value: JsonOutput): Steps<void> {
  if (value instanceof Base64Text) yield* appendPieces(text, value);
  else if (typeof value !== 'object' || value === null) text.append(writeJson(value));
  else if (value instanceof Float64 || value instanceof JsonText) text.append(value.toString());
  else if (Array.isArray(value)) yield* appendItems(text, value as readonly JsonOutput[]);
  else yield* appendMembers(text, value as JsonOutputObject);
}

function* appendPieces(text: LongText, base64: Base64Text): Steps<void> {
  for (const piece of base64.pieces()) {
    text.append(piece);
    yield piece.length;
  }
}

function* appendItems(text: LongText, items: readonly JsonOutput[]): Steps<void> {
  let separator = '[';
  for (const item of items) {
    text.append(separator);
    yield* appendInSteps(text, item);
    separator = ',';
  }
  text.append(separator === '[' ? '[]' : ']');
}

function* appendMembers(text: LongText, object: JsonOutputObject): Steps<void> {
  let separator = '{';
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    text.append(`${separator}"${name}":`);
    yield* appendInSteps(text, value);
    separator = ',';
  }
  text.append(separator === '{' ? '{}' : '}');
}

/** Items examined per step. */
const ITEMS_AT_ONCE = 64;

/** Returns the items for which `passes` returns true. */
export function* filterInSteps<Item>(
  items: Iterable<Item>,
  passes: (item: Item) => boolean,
): Steps<readonly Item[]> {
  const passed: Item[] = [];
  let examined = 0;
  for (const item of items) {
    if (passes(item)) passed.push(item);
    if (++examined % ITEMS_AT_ONCE === 0) yield 0;
  }
  return passed;
}

/**
 * Writes a JSON list, one item per step. `show` returns the item's JSON, or undefined to omit it.
 *
 * @param isLong whether the text of an item may take several steps.
 */
export function* listInSteps<Item>(
  items: Iterable<Item>,
  show: (item: Item) => JsonOutput | undefined,
  isLong: (item: Item) => boolean = () => false,
): Steps<LongText> {
  const list = new LongText();
  let separator = '[';
  for (const item of items) {
    const shown = show(item);
    if (shown === undefined) {
      yield 0;
      continue;
    }
    const before = list.length;
    list.append(separator);
    separator = ',';
    if (isLong(item)) yield* appendInSteps(list, shown);
    else yield list.append(writeJson(shown)).length - before;
  }
  return list.append(separator === '[' ? '[]' : ']');
}

/** Items sorted or merged per step. */
const SORTED_AT_ONCE = 128;

type Compare<Item> = (a: Item, b: Item) => number;

/** Sorts items like `toSorted`. */
export function* sortInSteps<Item>(items: Iterable<Item>, compare: Compare<Item>): Steps<readonly Item[]> {
  let runs: (readonly Item[])[] = [];
  let run: Item[] = [];
  for (const item of items) {
    if (run.push(item) < SORTED_AT_ONCE) continue;
    runs.push(run.sort(compare));
    run = [];
    yield 0;
  }
  runs.push(run.sort(compare));
  while (runs.length > 1) runs = yield* mergePairs(runs, compare);
  return runs[0] ?? [];
}

function* mergePairs<Item>(
  runs: readonly (readonly Item[])[],
  compare: Compare<Item>,
): Steps<(readonly Item[])[]> {
  const merged: (readonly Item[])[] = [];
  for (let at = 0; at < runs.length; at += 2) {
    const right = runs[at + 1];
    merged.push(
      right === undefined ? (runs[at] as Item[]) : yield* merge(runs[at] as Item[], right, compare),
    );
  }
  return merged;
}

/** Merges two sorted lists. Of two equal items the left one comes first, which keeps the sort stable. */
function* merge<Item>(left: readonly Item[], right: readonly Item[], compare: Compare<Item>): Steps<Item[]> {
  const merged: Item[] = [];
  let at = 0;
  for (const item of right) {
    for (; at < left.length && compare(left[at] as Item, item) <= 0; at++) {
      if (merged.push(left[at] as Item) % SORTED_AT_ONCE === 0) yield 0;
    }
    if (merged.push(item) % SORTED_AT_ONCE === 0) yield 0;
  }
  for (; at < left.length; at++) if (merged.push(left[at] as Item) % SORTED_AT_ONCE === 0) yield 0;
  return merged;
}

/** Number of entries up to which a result is produced at once, which takes no longer than other calls. */
const SMALL_COUNT = 512;

/** Copies the current entries. Accounts and transactions are never modified, so the copy stays consistent. */
export function takeSnapshot<Key, Value>(
  entries: Iterable<readonly [Key, Value]>,
): Steps<Iterable<readonly [Key, Value]>> {
  return entries instanceof Map ? copyMap(entries) : copyOneByOne(entries);
}

function* copyMap<Key, Value>(entries: ReadonlyMap<Key, Value>): Steps<Iterable<readonly [Key, Value]>> {
  if (entries.size > SMALL_COUNT) yield LARGE;
  return new MapCopy(entries);
}

/**
 * A copy of the entries of a map. V8 copies keys and values separately 40 times faster than it iterates the
 * entries. Pairs are created on demand, because 100,000 pairs that live as long as the scan make the garbage
 * collector pause for 20 ms.
 */
class MapCopy<Key, Value> implements Iterable<readonly [Key, Value]> {
  readonly #keys: readonly Key[];
  readonly #values: readonly Value[];

  constructor(entries: ReadonlyMap<Key, Value>) {
    this.#keys = [...entries.keys()];
    this.#values = [...entries.values()];
  }

  *[Symbol.iterator](): Iterator<readonly [Key, Value]> {
    for (const [at, key] of this.#keys.entries()) yield [key, this.#values[at] as Value];
  }
}

function* copyOneByOne<Entry>(entries: Iterable<Entry>): Steps<readonly Entry[]> {
  const copy: Entry[] = [];
  for (const entry of entries) if (copy.push(entry) === SMALL_COUNT) yield LARGE;
  return copy;
}
