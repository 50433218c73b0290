import type { JsonOutput } from '../../json/json-value.ts';
import { LongText } from '../../json/long-text.ts';
import { writeJson } from '../../json/write-json.ts';
import { appendInSteps } from './append-in-steps.ts';
import type { Steps } from './scan.ts';

/**
 * Writes a list of what `show` returns for each item, one item per step; undefined omits the item.
 *
 * @param isLong whether the text of an item may itself take several steps.
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
