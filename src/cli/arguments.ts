import { findNearestName } from '../errors/nearest-name.ts';
import type { ProvisionOptions } from '../stack/provision-options.ts';
import { FLAG_ENTRIES, FLAG_GROUPS, type FlagName } from './flags.ts';
import { COPYING_FLAGS, readProvisionFlags } from './provision-flags.ts';
import { badFlag, type ParsedFlags, readFlags } from './read-flags.ts';
import { VERBS } from './verbs/verb-table.ts';

/** The parsed command line. */
export interface Arguments {
  /** `serve` listens on ports; `mcp` speaks MCP over stdin and stdout. */
  readonly command: 'serve' | 'mcp';
  /** Whether to delete the stored ledger and create a new one. */
  readonly reset: boolean;
  /** Whether to log only warnings and errors. */
  readonly quiet: boolean;
  /** Whether to write only the log, without the banner. */
  readonly log: boolean;
  /** Whether to store the ledger in a folder that is deleted on exit. */
  readonly temp: boolean;
  /** Whether to print all addresses as JSON instead of the banner. */
  readonly json: boolean;
  /** The file to write all addresses to; null if there is none. */
  readonly portFile: string | null;
  /** Whether to run the stack in a child process and restart it after a crash. */
  readonly supervisor: boolean;
  readonly printConfig: boolean;
  readonly help: boolean;
  readonly version: boolean;
  /** Variables that flags override, not yet parsed. */
  readonly settings: readonly FlagSetting[];
  /** The running service that `mcp` connects to; null if none is named. */
  readonly serviceUrl: URL | null;
  /** Initial content of the ledger. */
  readonly provision: ProvisionOptions;
  /** The typed flags that need the embedded ledger, with their dashes. */
  readonly ledgerFlags: readonly string[];
}

interface FlagSetting {
  readonly flag: string;
  readonly variable: string;
  readonly text: string;
}

/** Flags that configure the ledger, as opposed to the program or its ports. */
const LEDGER_FLAGS = FLAG_GROUPS.flatMap(({ group, flags }) =>
  group === 'Program' ? [] : flags.map(([name]) => name),
).filter((name) => name !== 'rpc-port' && name !== 'bind-address');

/** Switches that set a variable. */
const SWITCHES = [
  ['log-arguments', 'CONSOLE_LOG_ARGUMENTS', 'on'],
  ['quiet', 'LOG_LEVEL', 'warn'],
] as const satisfies (readonly [FlagName, string, string])[];

/**
 * Reads the command line.
 *
 * @param args the arguments after the program's name.
 * @throws {ServiceError} CONFIG_INVALID for arguments that are unknown, incomplete or contradictory.
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

/** Rejects contradictory flags. Over stdio, the ledger is always temporary and no addresses are shown. */
function refuseAtOdds({ values }: ParsedFlags, command: Arguments['command']): void {
  const served = (['temp', 'port-file', 'json'] as const).find((name) => values.has(name));
  if (command === 'mcp' && served !== undefined) throw badFlag(`mcp does not accept --${served}.`);
  if (values.has('temp') && values.has('ledger')) {
    throw badFlag('--temp deletes the ledger on exit, but --ledger keeps it: remove one of them.');
  }
}

/** @throws {ServiceError} CONFIG_INVALID */
function readServiceUrl({ values }: ParsedFlags): URL | null {
  const text = values.get('url')?.[0]?.[0];
  if (text === undefined || COPYING_FLAGS.some((name) => values.has(name))) return null;
  const surplus = [...LEDGER_FLAGS, 'rpc-port' as const].filter((name) => name !== 'url' && values.has(name));
  if (surplus.length > 0) {
    const flags = surplus.map((name) => `--${name}`).join(', ');
    throw badFlag(`mcp --url connects to a running service and cannot change its settings: remove ${flags}.`);
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

function hintFor(word: string): string {
  const names = ['start', 'mcp', ...Object.keys(VERBS)];
  if (names.includes(word)) return ' Pass only one command, before all options.';
  const nearest = findNearestName(word, names);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** Converts ticks per slot to ms. A second has 160 ticks (Solana `DEFAULT_TICKS_PER_SECOND`). */
function slotMsOf(ticks: string): string {
  const ms = Number(ticks) * (1_000 / 160);
  if (/^\d+$/.test(ticks) && ms > 0 && Number.isSafeInteger(ms)) return String(ms);
  throw badFlag(`--ticks-per-slot needs a multiple of 4, not '${ticks}'.`);
}

function readSettings({ values }: ParsedFlags): FlagSetting[] {
  const settings = FLAG_ENTRIES.flatMap(([name, { variable }]) => {
    const text = values.get(name)?.[0]?.[0];
    return variable === undefined || text === undefined ? [] : [{ flag: `--${name}`, variable, text }];
  });
  const ticks = values.get('ticks-per-slot')?.[0]?.[0];
  if (ticks !== undefined) {
    if (values.has('slot-time'))
      throw badFlag('--ticks-per-slot and --slot-time both set the length of a slot: remove one of them.');
    settings.push({ flag: '--ticks-per-slot', variable: 'LEDGER_SLOT_MS', text: slotMsOf(ticks) });
  }
  for (const [name, variable, text] of SWITCHES) {
    if (values.has(name)) settings.push({ flag: `--${name}`, variable, text });
  }
  return settings;
}
