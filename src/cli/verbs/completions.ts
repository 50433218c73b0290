import { FLAG_ENTRIES } from '../flags.ts';
import type { RunVerb } from './verb-call.ts';
import { unusable } from './verb-failure.ts';
import { flagsOf, VERBS } from './verb-table.ts';

/** The names of the installed program. */
const PROGRAMS = ['spl-private-payments', 'spp'] as const;

interface Completed {
  readonly name: string;
  readonly text: string;
  readonly flags: readonly string[];
}

const START_FLAGS = FLAG_ENTRIES.map(([name]) => `--${name}`);

const COMMANDS: readonly Completed[] = [
  { name: 'start', text: 'run both servers', flags: START_FLAGS },
  { name: 'mcp', text: 'speak MCP over stdin and stdout', flags: START_FLAGS },
  ...Object.entries(VERBS).map(([name, verb]) => ({
    name,
    text: verb.text,
    flags: flagsOf(verb).map(([flag]) => `--${flag}`),
  })),
];

const WRITERS: Readonly<Record<string, () => string>> = { bash: writeBash, zsh: writeZsh, fish: writeFish };

/** Runs `completions bash|zsh|fish`. */
export const runCompletions: RunVerb = (call) => {
  const [shell = ''] = call.words;
  const write = Object.hasOwn(WRITERS, shell) ? WRITERS[shell] : undefined;
  if (write === undefined) throw unusable('completions needs bash, zsh or fish');
  const script = write();
  call.report({ shell, script }, script.trimEnd().split('\n'));
  return Promise.resolve('done');
};

function writeBash(): string {
  return [
    '_spl_private_payments() {',
    '  local words cur="${COMP_WORDS[COMP_CWORD]}"',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words='${COMMANDS.map(({ name }) => name).join(' ')}'; else`,
    '  case "${COMP_WORDS[1]}" in',
    ...COMMANDS.map(({ name, flags }) => `    ${name}) words='${flags.join(' ')}' ;;`),
    '  esac; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '}',
    `complete -o default -F _spl_private_payments ${PROGRAMS.join(' ')}`,
    '',
  ].join('\n');
}

function writeZsh(): string {
  return [
    `#compdef ${PROGRAMS.join(' ')}`,
    '_spl_private_payments() {',
    '  if (( CURRENT == 2 )); then',
    '    local -a commands=(',
    ...COMMANDS.map(({ name, text }) => `      ${quote(`${name}:${text}`)}`),
    '    )',
    '    _describe command commands',
    '    return',
    '  fi',
    '  local -a options',
    '  case "$words[2]" in',
    ...COMMANDS.map(({ name, flags }) => `    ${name}) options=(${flags.join(' ')}) ;;`),
    '  esac',
    '  compadd -- $options || _files',
    '}',
    `compdef _spl_private_payments ${PROGRAMS.join(' ')}`,
    '',
  ].join('\n');
}

function writeFish(): string {
  const lines = PROGRAMS.flatMap((program) => COMMANDS.flatMap((command) => fishLines(program, command)));
  return `${lines.join('\n')}\n`;
}

function fishLines(program: string, { name, text, flags }: Completed): string[] {
  const option = `complete -c ${program} -n '__fish_seen_subcommand_from ${name}' -l`;
  return [
    `complete -c ${program} -n __fish_use_subcommand -f -a ${name} -d ${quote(text)}`,
    ...flags.map((flag) => `${option} ${flag.slice(2)}`),
  ];
}

/** Puts a text in single quotes. Removes single quotes from it, because shells escape them differently. */
const quote = (text: string): string => `'${text.replaceAll("'", '')}'`;
