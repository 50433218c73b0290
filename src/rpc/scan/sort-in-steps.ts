import type { Steps } from './scan.ts';

/** Items sorted or merged per step. */
const ITEMS_AT_ONCE = 128;

type Compare<Item> = (a: Item, b: Item) => number;

/** The items sorted, as by `toSorted`. */
export function* sortInSteps<Item>(items: Iterable<Item>, compare: Compare<Item>): Steps<readonly Item[]> {
  let runs: (readonly Item[])[] = [];
  let run: Item[] = [];
  for (const item of items) {
    if (run.push(item) < ITEMS_AT_ONCE) continue;
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

/** The left one of equals comes first, which keeps the sort stable. */
function* merge<Item>(left: readonly Item[], right: readonly Item[], compare: Compare<Item>): Steps<Item[]> {
  const merged: Item[] = [];
  let at = 0;
  for (const item of right) {
    for (; at < left.length && compare(left[at] as Item, item) <= 0; at++) {
      if (merged.push(left[at] as Item) % ITEMS_AT_ONCE === 0) yield 0;
    }
    if (merged.push(item) % ITEMS_AT_ONCE === 0) yield 0;
  }
  for (; at < left.length; at++) if (merged.push(left[at] as Item) % ITEMS_AT_ONCE === 0) yield 0;
  return merged;
}
