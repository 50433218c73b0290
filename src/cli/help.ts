import { EXIT_CODES } from '../supervisor/exit-codes.ts';
import { FLAG_ENTRIES, FLAG_GROUPS, type Flag, type FlagName } from './flags.ts';

/** Width the texts are wrapped to, columns. */
const WIDTH = 100;

/** Column at which what is explained begins. */
const TEXT_AT = 30;

/** The text of `--help`. */
export function formatHelp(): string {
  return [
    'Usage: spl-private-payments [command] [options]',
    '',
    'Runs the tool service (MCP and REST) and the ledger node (Solana JSON-RPC) on one machine.',
    '',
    'Commands:',
    entry('(none)', 'serve both behind ports'),
    entry('mcp', 'speak MCP over stdin and stdout, for hosts that launch their servers'),
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

/** A head and what it means, which begins below a head that is too long. */
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
