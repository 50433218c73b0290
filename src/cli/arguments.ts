import { FLAG_ENTRIES, type FlagName } from './flags.ts';
import type { ProvisionOptions } from '../stack/provision-options.ts';
import { COPYING_FLAGS, readProvisionFlags } from './provision-flags.ts';
import { findNearest } from './nearest.ts';
import { badFlag, readFlags, type ParsedFlags } from './read-flags.ts';
import { VERBS } from './verbs/verb-table.ts';

/** What the command line asks for. */
export interface Arguments {
  /** `serve` runs everything behind ports; `mcp` speaks MCP over stdin and stdout. */
  readonly command: 'serve' | 'mcp';
  /** Throw the kept ledger away and start with a new one. */
  readonly reset: boolean;
  /** Say nothing but warnings and errors. */
  readonly quiet: boolean;
  /** Write the log alone, without the banner. */
  readonly log: boolean;
  /** Keep the ledger in a folder that is thrown away at the end. */
  readonly temp: boolean;
  /** Print where everything listens as JSON, in place of the banner. */
  readonly json: boolean;
  /** The file that where everything listens is written to; null for none. */
  readonly portFile: string | null;
  /** Run the stack in a child that is started again when it dies by accident. */
  readonly supervisor: boolean;
  readonly printConfig: boolean;
  readonly help: boolean;
  readonly version: boolean;
  /** Settings by flags: what overrides which variable, not yet read. */
  readonly settings: readonly FlagSetting[];
  /** The running service that `mcp` hands everything to; null where none was named. */
  readonly serviceUrl: URL | null;
  /** What to put into the ledger. */
  readonly provision: ProvisionOptions;
  /** The flags that are about the embedded ledger and mean nothing without one, with their dashes. */
  readonly ledgerFlags: readonly string[];
}

/** A variable's text as a flag gives it. */
interface FlagSetting {
  /** With its dashes. */
  readonly flag: string;
  readonly variable: string;
  readonly text: string;
}

/** Flags about the ledger itself: not where the node listens, and not what is about the program. */
const LEDGER_FLAGS = FLAG_ENTRIES.filter(
  ([name, { group }]) => group !== 'Program' && name !== 'rpc-port' && name !== 'bind-address',
).map(([name]) => name);

const VOTES_FLAG = 'rpc-pubsub-enable-vote-subscription' satisfies FlagName;

const ARGUMENTS_FLAG = 'log-arguments' satisfies FlagName;

/** Log level of `--quiet`. */
const QUIET_LOG_LEVEL = 'warn';

/**
 * Reads the command line.
 *
 * @param args what stands after the program's name
 * @throws {ServiceError} CONFIG_INVALID naming what is not known, incomplete or at odds with something else.
 */
export function readArguments(args: readonly string[]): Arguments {
  const flags = readFlags(args);
  const has = (name: FlagName): boolean => flags.values.has(name);
  const command = readCommand(flags.words);
  refuseAtOdds(flags, command);
  const serviceUrl = command === 'mcp' ? readServiceUrl(flags) : null;
  return {
    command,
    reset: has('reset'),
    quiet: has('quiet'),
    log: has('log'),
    temp: has('temp'),
    json: has('json'),
    portFile: flags.values.get('port-file')?.[0]?.[0] ?? null,
    supervisor: !has('no-supervisor'),
    printConfig: has('print-config'),
    help: has('help'),
    version: has('version'),
    settings: readSettings(flags),
    serviceUrl,
    provision: readProvisionFlags(serviceUrl === null ? flags : { values: without(flags.values, 'url') }),
    ledgerFlags: LEDGER_FLAGS.filter(has).map((name) => `--${name}`),
  };
}

/** Over stdio the ledger is thrown away in any case, and nothing listens that has to be found. */
function refuseAtOdds({ values }: ParsedFlags, command: Arguments['command']): void {
  const served = (['temp', 'port-file', 'json'] as const).find((name) => values.has(name));
  if (command === 'mcp' && served !== undefined) throw badFlag(`mcp does not take --${served}.`);
  if (values.has('temp') && values.has('ledger')) {
    throw badFlag('--temp throws the ledger away, which --ledger wants kept: leave one of them out.');
  }
}

/**
 * The service that `--url` names, where it names no cluster to copy from. What is about a ledger cannot be
 * had of it.
 *
 * @throws {ServiceError} CONFIG_INVALID
 */
function readServiceUrl({ values }: ParsedFlags): URL | null {
  const text = values.get('url')?.[0]?.[0];
  if (text === undefined || COPYING_FLAGS.some((name) => values.has(name))) return null;
  const surplus = [...LEDGER_FLAGS, 'rpc-port' as const].filter((name) => name !== 'url' && values.has(name));
  if (surplus.length > 0) {
    const flags = surplus.map((name) => `--${name}`).join(', ');
    throw badFlag(`mcp --url hands everything to a service that runs already, which ${flags} cannot change.`);
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username + url.search + url.hash !== '') {
    throw badFlag('mcp --url needs the http(s) URL of a running service, such as http://127.0.0.1:8787.');
  }
  return url;
}

function without(values: ParsedFlags['values'], name: FlagName): ParsedFlags['values'] {
  return new Map([...values].filter(([each]) => each !== name));
}

function readCommand([command, ...rest]: readonly string[]): Arguments['command'] {
  if (command === undefined) return 'serve';
  const isCommand = command === 'mcp' || command === 'start';
  const surplus = isCommand ? rest[0] : command;
  if (surplus !== undefined) throw badFlag(`Unexpected argument '${surplus}'.${hintFor(surplus)}`);
  return command === 'mcp' ? 'mcp' : 'serve';
}

/** What may have been meant by a word that is no command here. */
function hintFor(word: string): string {
  const names = ['start', 'mcp', ...Object.keys(VERBS)];
  if (names.includes(word)) return ' A command comes first, and alone.';
  const nearest = findNearest(word, names);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** Length of a slot in ms as a setting has it; a second has 160 ticks (Solana `DEFAULT_TICKS_PER_SECOND`). */
function slotMsOf(ticks: string): string {
  const ms = Number(ticks) * (1_000 / 160);
  if (/^\d+$/.test(ticks) && ms > 0 && Number.isSafeInteger(ms)) return String(ms);
  throw badFlag(`--ticks-per-slot needs a multiple of 4, where it has '${ticks}'.`);
}

function readSettings({ values }: ParsedFlags): FlagSetting[] {
  const settings = FLAG_ENTRIES.flatMap(([name, { variable }]) => {
    const text = values.get(name)?.[0]?.[0];
    return variable === undefined || text === undefined ? [] : [{ flag: `--${name}`, variable, text }];
  });
  const ticks = values.get('ticks-per-slot')?.[0]?.[0];
  if (ticks !== undefined) {
    if (values.has('slot-time'))
      throw badFlag('--ticks-per-slot and --slot-time both say how long a slot is.');
    settings.push({ flag: '--ticks-per-slot', variable: 'LEDGER_SLOT_MS', text: slotMsOf(ticks) });
  }
  if (values.has(VOTES_FLAG)) {
    settings.push({ flag: `--${VOTES_FLAG}`, variable: 'LEDGER_VOTE_SUBSCRIPTION', text: 'on' });
  }
  if (values.has(ARGUMENTS_FLAG)) {
    settings.push({ flag: `--${ARGUMENTS_FLAG}`, variable: 'CONSOLE_LOG_ARGUMENTS', text: 'on' });
  }
  if (values.has('quiet')) {
    settings.push({ flag: '--quiet', variable: 'LOG_LEVEL', text: QUIET_LOG_LEVEL });
  }
  return settings;
}
