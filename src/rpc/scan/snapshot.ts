import { LARGE, type Steps } from './scan.ts';

/** A result of fewer entries is produced at once. That takes no longer than any other call. */
const SMALL_COUNT = 512;

/**
 * Copies the current entries. Accounts and transactions are replaced and never modified, so the copy stays
 * consistent during the following steps.
 */
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
 * The entries of a map at one moment. V8 copies keys and values separately 40 times faster than it iterates
 * the entries. Each pair is created on demand and dies young: a hundred thousand that live as long as the
 * scan make the garbage collector pause for 20 ms.
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
