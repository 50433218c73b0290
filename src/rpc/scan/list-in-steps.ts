import type { JsonOutput } from '../../json/json-value.ts';
import { LongText } from '../../json/long-text.ts';
import { writeJson } from '../../json/write-json.ts';
import { appendInSteps } from './append-in-steps.ts';
import type { Steps } from './scan.ts';

/**
 * What `writeJson` writes of a list of what `show` makes of each item, one in each step; undefined leaves one
 * out.
 *
 * @param isLong whether what is shown of an item may take several steps to write.
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
