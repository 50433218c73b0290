import { EXIT_CODES } from '../supervisor/exit-codes.ts';
import { FLAG_ENTRIES, FLAG_GROUPS, type Flag, type FlagName } from './flags.ts';
import { entry } from './help-entry.ts';
import { VERB_EXIT_CODES } from './verbs/exit-codes.ts';
import { VERBS } from './verbs/verb-table.ts';

/** The text of `--help`. */
export function formatHelp(): string {
  return [
    'Usage: spl-private-payments [command] [options]',
    '',
    'Runs the tool service (MCP and REST) and the ledger node (Solana JSON-RPC) on one machine.',
    '',
    'Commands:',
    entry('start', 'serve both behind ports; the same as no command'),
    entry('mcp', 'speak MCP over stdin and stdout, for hosts that launch their servers'),
    ...Object.entries(VERBS).map(([name, { words, text }]) => entry(`${name} ${words}`.trimEnd(), text)),
    '',
    'The options below are those of start and mcp. "<command> --help" tells those of the others.',
    ...FLAG_GROUPS.flatMap((group) => ['', `${group}:`].concat(FLAG_ENTRIES.flatMap(flagOf(group)))),
    '',
    'Settings come from environment variables or a .env file; .env.example documents them. A flag',
    'overrides the variable that stands in brackets behind it.',
    '',
    'Exit codes:',
    entry(String(EXIT_CODES.done), 'ended in order, everything that was asked is answered'),
    entry(String(EXIT_CODES.fault), 'a bug; its stack is on stderr'),
    entry(String(EXIT_CODES.gaveUp), 'it died again and again before it was ready'),
    entry(String(EXIT_CODES.held), 'another process holds the ledger folder; try again when it has ended'),
    entry(
      String(EXIT_CODES.config),
      'a setting, a port or the ledger folder cannot be used; stderr says what to change',
    ),
    entry(String(EXIT_CODES.interrupted), 'a second signal ended it before it was done'),
    entry(String(EXIT_CODES.overdue), 'it was still busy 15 s after it was told to stop, and was killed'),
    '',
    'Of the other commands besides 0, 1 and 78:',
    entry(String(VERB_EXIT_CODES.refused), 'the service or a ledger refused it: nothing was moved'),
    entry(String(VERB_EXIT_CODES.unavailable), 'the service or a node did not answer, or not usably'),
    entry(
      String(VERB_EXIT_CODES.unconfirmed),
      'signed and handed in, and not known to have landed: look the signature up before paying again',
    ),
    entry(
      String(VERB_EXIT_CODES.unsigned),
      'nothing was signed: a check spoke against it, or nobody said yes',
    ),
    '',
  ].join('\n');
}

const flagOf =
  (group: string) =>
  ([name, flag]: readonly [FlagName, Flag]): string[] => {
    if (flag.group !== group) return [];
    const { short, alias, values = [], variable, repeatable, text } = flag;
    const head = [`${short === undefined ? '    ' : `-${short}, `}--${name}`, ...values].join(' ');
    const marks = [
      ...(variable === undefined ? [] : [variable]),
      ...(repeatable === true ? ['repeatable'] : []),
    ];
    const told = alias === undefined ? text : `${text}; also --${alias}`;
    return [entry(head, marks.length === 0 ? told : `${told} [${marks.join(', ')}]`)];
  };
