import type { Steps } from './scan.ts';

/** Items examined per step. */
const ITEMS_AT_ONCE = 64;

/** The items for which `passes` returns true. */
export function* keepInSteps<Item>(
  items: Iterable<Item>,
  passes: (item: Item) => boolean,
): Steps<readonly Item[]> {
  const kept: Item[] = [];
  let looked = 0;
  for (const item of items) {
    if (passes(item)) kept.push(item);
    if (++looked % ITEMS_AT_ONCE === 0) yield 0;
  }
  return kept;
}
