import { entry } from '../help-entry.ts';
import { flagsOf, type Verb } from './verb-table.ts';

/** The text of `--help` behind a verb. */
export function formatVerbHelp(name: string, verb: Verb): string {
  return [
    `Usage: spl-private-payments ${name} ${verb.words}`.trimEnd(),
    '',
    `${verb.text.charAt(0).toUpperCase()}${verb.text.slice(1)}.`,
    '',
    'Options:',
    ...flagsOf(verb).map(([flag, { short, values = [], text, repeatable }]) => {
      const head = [`${short === undefined ? '    ' : `-${short}, `}--${flag}`, ...values].join(' ');
      return entry(head, repeatable === true ? `${text} [repeatable]` : text);
    }),
    '',
  ].join('\n');
}
