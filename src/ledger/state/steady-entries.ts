import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

type Entry = readonly [Address, Account];

/** Tells by an account's data, the bytes from `from` to before `to`, whether it is wanted. */
export type DataTest = (bytes: Uint8Array, from: number, to: number) => boolean;

/** Null stands for an account that was looked at and is not wanted. */
export type Look = Entry | null;

/** How to go through accounts. */
interface WaysThrough {
  /** All at once, before anything changes. */
  readonly now: () => Iterable<Entry>;
  /** Fixes the moment when it is called, not when the first is taken. */
  readonly begin: (test: DataTest) => IterableIterator<Look>;
}

/**
 * Accounts that are put together on the way, as those of a rollup over its base. Iterated, they are used up
 * before anything changes. Gone through with {@link looks} they are those of the moment that began, however
 * long it takes, until the end or `return`.
 */
export class SteadyEntries implements Iterable<Entry> {
  readonly #ways: WaysThrough;

  constructor(ways: WaysThrough) {
    this.#ways = ways;
  }

  /** Begins to go through those that pass; null for some that do not. */
  looks(test: DataTest): IterableIterator<Look> {
    return this.#ways.begin(test);
  }

  [Symbol.iterator](): Iterator<Entry> {
    return this.#ways.now()[Symbol.iterator]();
  }

  /** Those at addresses that pass. @param judge called at the moment somebody begins. */
  where(judge: () => (address: Address) => boolean): SteadyEntries {
    const { now, begin } = this.#ways;
    return new SteadyEntries({
      *now() {
        const passes = judge();
        for (const entry of now()) if (passes(entry[0])) yield entry;
      },
      begin(test) {
        const passes = judge();
        return leavable(begin(test), function* (looks) {
          for (const look of looks) yield look !== null && passes(look[0]) ? look : null;
        });
      },
    });
  }
}

/** Looks at accounts in memory, then at others except for those `covered`. */
export function looksAtBoth(
  first: readonly Entry[],
  covered: ReadonlySet<Address>,
  others: IterableIterator<Look>,
  test: DataTest,
): IterableIterator<Look> {
  return leavable(others, function* () {
    yield* looksAt(first, test);
    for (const look of others) yield look !== null && covered.has(look[0]) ? null : look;
  });
}

/** Looks at accounts in memory, which are not to change meanwhile. */
export function* looksAt(entries: Iterable<Entry>, test: DataTest): IterableIterator<Look> {
  for (const entry of entries) {
    const { data } = entry[1];
    yield test(data, 0, data.length) ? entry : null;
  }
}

/**
 * What `go` makes of looks. Left before its first step it leaves them as well, which a generator does not.
 */
function leavable(
  looks: IterableIterator<Look>,
  go: (looks: IterableIterator<Look>) => IterableIterator<Look>,
): IterableIterator<Look> {
  const going = go(looks);
  return {
    [Symbol.iterator]() {
      return this;
    },
    next: () => going.next(),
    return() {
      looks.return?.();
      return { done: true, value: undefined };
    },
  };
}
