import { EXIT_CODES } from '../supervisor/exit-codes.ts';
import { FLAG_GROUPS, type FlagForm } from './flags.ts';
import { VERB_EXIT_CODES } from './verbs/verb-failure.ts';
import { flagsOf, type Verb, VERBS } from './verbs/verb-table.ts';

/** Formats the text of `--help`. */
export function formatHelp(): string {
  return [
    'Usage: spl-private-payments [command] [options]',
    '',
    'Runs the tool service (MCP and REST) and the ledger node (Solana JSON-RPC) on one machine.',
    '',
    'Commands:',
    entry('start', 'run both servers; the default command'),
    entry('mcp', 'speak MCP over stdin and stdout, for hosts that launch their own servers'),
    ...Object.entries(VERBS).map(([name, { words, text }]) => entry(`${name} ${words}`.trimEnd(), text)),
    '',
    'The options below are for start and mcp. "<command> --help" lists those of the other commands.',
    ...FLAG_GROUPS.flatMap(({ group, flags }) => ['', `${group}:`].concat(flags.map(flagEntry))),
    '',
    'Settings come from environment variables or a .env file; .env.example documents them. A flag',
    'overrides the variable in brackets after it.',
    '',
    'Exit codes:',
    ...entries([
      [EXIT_CODES.done, 'stopped normally; every request was answered'],
      [EXIT_CODES.fault, 'a bug; its stack trace is on stderr'],
      [EXIT_CODES.gaveUp, 'it crashed repeatedly before it was ready'],
      [EXIT_CODES.held, 'another process uses the ledger folder; try again after it has ended'],
      [
        EXIT_CODES.config,
        'a setting, a port or the ledger folder cannot be used; stderr says what to change',
      ],
      [EXIT_CODES.interrupted, 'a second signal ended it before the shutdown was complete'],
      [EXIT_CODES.overdue, 'it did not stop within 15 s and was killed'],
    ]),
    '',
    'In addition to 0, 1 and 78, the other commands use:',
    ...entries([
      [VERB_EXIT_CODES.refused, 'the service or a ledger rejected it: no tokens were moved'],
      [VERB_EXIT_CODES.unavailable, 'the service or a node did not answer, or its answer is not usable'],
      [
        VERB_EXIT_CODES.unconfirmed,
        'signed and sent, outcome unknown: look up the signature before paying again',
      ],
      [VERB_EXIT_CODES.unsigned, 'nothing was signed: a check failed, or the user did not confirm'],
    ]),
    '',
  ].join('\n');
}

const entries = (codes: readonly (readonly [number, string])[]): string[] =>
  codes.map(([code, text]) => entry(String(code), text));

/** Formats the `--help` text of a verb. */
export function formatVerbHelp(name: string, verb: Verb): string {
  return [
    `Usage: spl-private-payments ${name} ${verb.words}`.trimEnd(),
    '',
    `${verb.text.charAt(0).toUpperCase()}${verb.text.slice(1)}.`,
    '',
    'Options:',
    ...flagsOf(verb).map(flagEntry),
    '',
  ].join('\n');
}

function flagEntry([name, flag]: readonly [string, FlagForm]): string {
  const { short, alias, values = [], variable, repeatable, text } = flag;
  const head = [`${short === undefined ? '    ' : `-${short}, `}--${name}`, ...values].join(' ');
  const marks = [
    ...(variable === undefined ? [] : [variable]),
    ...(repeatable === true ? ['repeatable'] : []),
  ];
  const shown = alias === undefined ? text : `${text}; also --${alias}`;
  return entry(head, marks.length === 0 ? shown : `${shown} [${marks.join(', ')}]`);
}

/** Maximum width of the text, in columns. */
const WIDTH = 100;

/** Column at which explanations start. */
const TEXT_AT = 30;

/** Formats a head and its explanation, which starts on the next line if the head is too long. */
function entry(head: string, text: string): string {
  const lines = wrap(text, WIDTH - TEXT_AT);
  const first = `  ${head}`;
  const indented = lines.map((line) => `${' '.repeat(TEXT_AT)}${line}`);
  if (first.length > TEXT_AT - 2) return [first, ...indented].join('\n');
  return [first.padEnd(TEXT_AT) + lines[0], ...indented.slice(1)].join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string;
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
