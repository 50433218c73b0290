import { FLAG_ENTRIES, type FlagName } from './flags.ts';
import type { ProvisionOptions } from '../stack/provision-options.ts';
import { readProvisionFlags } from './provision-flags.ts';
import { badFlag, readFlags, type GivenFlags } from './read-flags.ts';

/** What the command line asks for. */
export interface Arguments {
  /** `serve` runs everything behind ports; `mcp` speaks MCP over stdin and stdout. */
  readonly command: 'serve' | 'mcp';
  /** Throw the kept ledger away and start with a new one. */
  readonly reset: boolean;
  /** Say nothing but warnings and errors. */
  readonly quiet: boolean;
  /** Run the stack in a child that is started again when it dies by accident. */
  readonly supervisor: boolean;
  readonly printConfig: boolean;
  readonly help: boolean;
  readonly version: boolean;
  /** Settings by flags: what overrides which variable, not yet read. */
  readonly settings: readonly FlagSetting[];
  /** What to put into the ledger. */
  readonly provision: ProvisionOptions;
  /** The flags given that are about the embedded ledger and mean nothing without one, with their dashes. */
  readonly ledgerFlags: readonly string[];
}

/** A variable's text as a flag gives it. */
export interface FlagSetting {
  /** With its dashes. */
  readonly flag: string;
  readonly variable: string;
  readonly text: string;
}

/** Flags about the ledger itself: not where the node listens, and not what is about the program. */
const LEDGER_FLAGS = FLAG_ENTRIES.filter(
  ([name, { group }]) => group !== 'Program' && name !== 'rpc-port' && name !== 'bind-address',
).map(([name]) => name);

/** Log level of `--quiet`. */
const QUIET_LOG_LEVEL = 'warn';

/**
 * Reads the command line.
 *
 * @param args what stands after the program's name
 * @throws {ServiceError} CONFIG_INVALID naming what is not known, incomplete or at odds with something else.
 */
export function readArguments(args: readonly string[]): Arguments {
  const given = readFlags(args);
  const has = (name: FlagName): boolean => given.values.has(name);
  return {
    command: readCommand(given.words),
    reset: has('reset'),
    quiet: has('quiet'),
    supervisor: !has('no-supervisor'),
    printConfig: has('print-config'),
    help: has('help'),
    version: has('version'),
    settings: readSettings(given),
    provision: readProvisionFlags(given),
    ledgerFlags: LEDGER_FLAGS.filter(has).map((name) => `--${name}`),
  };
}

function readCommand([command, ...rest]: readonly string[]): Arguments['command'] {
  if (command === undefined) return 'serve';
  const surplus = command === 'mcp' ? rest[0] : command;
  if (surplus !== undefined) throw badFlag(`Unexpected argument '${surplus}'.`);
  return 'mcp';
}

function readSettings({ values }: GivenFlags): FlagSetting[] {
  const settings = FLAG_ENTRIES.flatMap(([name, { variable }]) => {
    const text = values.get(name)?.[0]?.[0];
    return variable === undefined || text === undefined ? [] : [{ flag: `--${name}`, variable, text }];
  });
  if (values.has('quiet')) {
    settings.push({ flag: '--quiet', variable: 'LOG_LEVEL', text: QUIET_LOG_LEVEL });
  }
  return settings;
}
