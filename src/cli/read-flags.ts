import { findNearestName } from '../errors/nearest-name.ts';
import { ServiceError } from '../errors/service-error.ts';
import { FLAG_ENTRIES, type FlagForm, type FlagName } from './flags.ts';

/** Unsupported flags of solana-test-validator and an ambiguous name, each with the reason and a fix. */
const REFUSED_FLAGS: ReadonlyMap<string, string> = new Map([
  [
    'faucet-port',
    'clients use the faucet over RPC. Call requestAirdrop or requestTokenAirdrop on the ledger node (--rpc-port).',
  ],
  [
    'inflation-fixed',
    'the virtual machine pays no staking rewards, so the inflation rate is always zero. Remove it.',
  ],
  [
    'port',
    'there are three ports. Set PORT for the tool service, LEDGER_RPC_PORT or --rpc-port for the ledger node, and ROLLUP_RPC_PORT for the rollup.',
  ],
  ['rpc-pubsub-enable-block-subscription', 'blockSubscribe is always enabled. Remove it.'],
]);

function refusalOf(name: string): string | undefined {
  const why = REFUSED_FLAGS.get(name);
  return why === undefined ? undefined : `--${name} is not supported: ${why}`;
}

/** A parsed command line. */
export interface ParsedFlags<Name extends string = FlagName> {
  /** Arguments without a flag. */
  readonly words: readonly string[];
  /** The values of each occurrence of a flag, in order; empty for a switch. */
  readonly values: ReadonlyMap<Name, readonly (readonly string[])[]>;
}

/** The known flags, in the order of the help. */
export type FlagEntries<Name extends string> = readonly (readonly [Name, FlagForm])[];

/**
 * Parses the arguments after the program's name: `--name value ...`, `--name=value`, `-n value`.
 *
 * @throws {ServiceError} CONFIG_INVALID for a flag that is unknown, lacks a value or is repeated.
 */
export function readFlags(args: readonly string[]): ParsedFlags;
/** Parses the flags of a verb, where a single dash (stdin) and negative numbers are arguments. */
export function readFlags<Name extends string>(
  args: readonly string[],
  entries: FlagEntries<Name>,
): ParsedFlags<Name>;
export function readFlags(
  args: readonly string[],
  entries: FlagEntries<string> = FLAG_ENTRIES,
): ParsedFlags<string> {
  const words: string[] = [];
  const values = new Map<string, (readonly string[])[]>();
  const rest = args.values();
  for (const arg of rest) {
    if (!arg.startsWith('-') || (entries !== FLAG_ENTRIES && /^-(?:$|[\d.])/.test(arg))) {
      words.push(arg);
      continue;
    }
    const [shown, inline] = splitAtEquals(arg);
    const [name, flag] = findFlag(shown, entries);
    const taken = takeValues(shown, flag, inline, rest);
    const times = values.get(name) ?? [];
    if (times.length > 0 && flag.values !== undefined && flag.repeatable !== true) {
      throw badFlag(`${shown} is passed more than once.`);
    }
    values.set(name, [...times, taken]);
  }
  return { words, values };
}

/** Creates an error that ends with a hint about `--help`. */
export function badFlag(sentence: string): ServiceError {
  return new ServiceError('CONFIG_INVALID', `${sentence}\nSee --help.`);
}

function splitAtEquals(arg: string): [shown: string, inline: string | undefined] {
  const at = arg.startsWith('--') ? arg.indexOf('=') : -1;
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
}

function findFlag(shown: string, entries: FlagEntries<string>): readonly [string, FlagForm] {
  const isLong = shown.startsWith('--');
  const long = shown.slice(2);
  const found = entries.find(([name, { short, alias }]) =>
    isLong ? name === long || alias === long : short === shown.slice(1),
  );
  if (found !== undefined) return found;
  const refusal = isLong ? refusalOf(long) : undefined;
  if (refusal !== undefined) throw badFlag(refusal);
  const names = entries.map(([name]) => name);
  const nearest = isLong ? findNearestName(long, names) : undefined;
  throw badFlag(`Unknown option '${shown}'.${nearest === undefined ? '' : ` Did you mean --${nearest}?`}`);
}

function takeValues(
  shown: string,
  { values = [] }: FlagForm,
  inline: string | undefined,
  rest: Iterator<string>,
): readonly string[] {
  if (inline !== undefined) {
    if (values.length !== 1) throw badFlag(`Remove "=": ${shown} takes ${describeValues(values)}.`);
    if (inline === '') throw badFlag(`${shown} needs ${describeValues(values)}.`);
    return [inline];
  }
  return values.map(() => {
    const value = rest.next().value as string | undefined;
    // A single dash and a negative number are values. Anything else that starts with a dash is a flag.
    if (value === undefined || value === '' || /^-\D/.test(value)) {
      throw badFlag(`${shown} needs ${describeValues(values)}.`);
    }
    return value;
  });
}

function describeValues(values: readonly string[]): string {
  return values.length === 0 ? 'no value' : values.join(' ');
}
