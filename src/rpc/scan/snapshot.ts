import { type DataTest, type Look, SteadyEntries } from '../../ledger/state/steady-entries.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { LARGE, type Steps } from './scan.ts';

/** A result of fewer entries is produced at once: that takes no longer than any other call. */
const SMALL_COUNT = 512;

/** Looks of one step: those of a long walk take some 10 us. */
const LOOKS_AT_ONCE = 32;

/**
 * Copies all entries as they are now. Accounts and transactions are replaced and never modified, so the copy
 * stays consistent during the following steps. Entries that are steady anyway are read on the way, so the
 * result is gone through once.
 */
export function takeSnapshot<Key, Value>(
  entries: Iterable<readonly [Key, Value]>,
): Steps<Iterable<readonly [Key, Value]>> {
  if (entries instanceof SteadyEntries) {
    return readOnTheWay(entries) as Steps<Iterable<readonly [Key, Value]>>;
  }
  return entries instanceof Map ? copyMap(entries) : copyOneByOne(entries);
}

/**
 * Has `take` take in the accounts whose data passes, as they are now, one after another; what it returns is
 * done before the next. What is steady is tested where it lies.
 */
export function* findInSnapshot(
  entries: Iterable<readonly [Address, Account]>,
  test: DataTest,
  take: (entry: readonly [Address, Account]) => Steps<void> | undefined,
): Steps<void> {
  let looked = 0;
  if (!(entries instanceof SteadyEntries)) {
    for (const entry of yield* takeSnapshot(entries)) {
      const isFound = test(entry[1].data, 0, entry[1].data.length);
      const steps = isFound ? take(entry) : undefined;
      if (steps !== undefined) yield* steps;
      if (++looked % LOOKS_AT_ONCE === 0) yield 0;
    }
    return;
  }
  for (const look of entries.looks(test)) {
    const steps = look === null ? undefined : take(look);
    if (steps !== undefined) yield* steps;
    if (++looked === SMALL_COUNT) yield LARGE;
    else if (looked > SMALL_COUNT && looked % LOOKS_AT_ONCE === 0) yield 0;
  }
}

function* readOnTheWay(entries: SteadyEntries): Steps<Iterable<readonly [Address, Account]>> {
  const looks = entries.looks(() => true);
  const first: Look[] = [];
  let isGivenOut = false;
  try {
    while (first.length < SMALL_COUNT) {
      const step = looks.next();
      if (step.done === true) break;
      first.push(step.value);
    }
    if (first.length === SMALL_COUNT) yield LARGE;
    isGivenOut = true;
  } finally {
    if (!isGivenOut) looks.return?.();
  }
  return foundAmong(first, looks);
}

function* foundAmong(
  first: readonly Look[],
  looks: IterableIterator<Look>,
): Iterable<readonly [Address, Account]> {
  try {
    for (const look of first) if (look !== null) yield look;
    for (const look of looks) if (look !== null) yield look;
  } finally {
    // Left among the first, it has not come to the loop that leaves the others.
    looks.return?.();
  }
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
  const taken: Entry[] = [];
  for (const entry of entries) if (taken.push(entry) === SMALL_COUNT) yield LARGE;
  return taken;
}
