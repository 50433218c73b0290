import { ServiceError } from '../errors/service-error.ts';
import { FLAG_ENTRIES, type FlagForm, type FlagName } from './flags.ts';
import { findNearest } from './nearest.ts';

/**
 * Flags of solana-test-validator that mean nothing here, or nothing that can be done, and one that would be
 * taken for the slip of another: why, and what to do instead. They are no flags of this program, and
 * `--help` does not show them.
 */
const REFUSED_FLAGS: ReadonlyMap<string, string> = new Map([
  [
    'faucet-port',
    'no client asks a faucet but by RPC, and a port that signs for whoever connects would only be one more. Call requestAirdrop or requestTokenAirdrop of the ledger node, whose port is --rpc-port.',
  ],
  [
    'inflation-fixed',
    'rewards are what a bank pays its stakers at the end of an epoch, and the virtual machine has none: the rate is zero, and another one would be shown and never paid. Leave it out.',
  ],
  [
    'port',
    'it does not say which of three ports is meant. Set PORT for that of the tool service, LEDGER_RPC_PORT or --rpc-port for the ledger node, ROLLUP_RPC_PORT for the rollup.',
  ],
  ['rpc-pubsub-enable-block-subscription', 'blockSubscribe is served in any case. Leave it out.'],
]);

/**
 * What to say of a flag that is known and cannot be had; undefined for any other.
 *
 * @param name without dashes
 */
function refusalOf(name: string): string | undefined {
  const why = REFUSED_FLAGS.get(name);
  return why === undefined ? undefined : `--${name} cannot be had: ${why}`;
}

/** A command line, taken apart. */
export interface ParsedFlags<Name extends string = FlagName> {
  /** What stood there without a flag. */
  readonly words: readonly string[];
  /** The values of each time a flag was given, in order; none of them for a switch. */
  readonly values: ReadonlyMap<Name, readonly (readonly string[])[]>;
}

/** The flags that are known, in the order of the help. */
export type FlagEntries<Name extends string> = readonly (readonly [Name, FlagForm])[];

/**
 * Takes the arguments after the program's name apart: `--name value ...`, `--name=value`, `-n value`.
 *
 * @throws {ServiceError} CONFIG_INVALID for a flag that is unknown, lacks a value or is given twice.
 */
export function readFlags(args: readonly string[]): ParsedFlags;
/**
 * The same with other flags than those of a start. A dash alone is a word there, which stands for the input,
 * and so is a negative number, which whoever reads it refuses by the name of the word.
 */
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
      throw badFlag(`${shown} is given twice.`);
    }
    values.set(name, [...times, taken]);
  }
  return { words, values };
}

/** An error that ends with where to read on. */
export function badFlag(sentence: string): ServiceError {
  return new ServiceError('CONFIG_INVALID', `${sentence}\nSee --help for what is known.`);
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
  const nearest = isLong ? findNearest(long, names) : undefined;
  throw badFlag(`Unknown option '${shown}'.${nearest === undefined ? '' : ` Did you mean --${nearest}?`}`);
}

function takeValues(
  shown: string,
  { values = [] }: FlagForm,
  inline: string | undefined,
  rest: Iterator<string>,
): readonly string[] {
  if (inline !== undefined) {
    if (values.length !== 1) throw badFlag(`${shown} takes ${sayValues(values)}, not "=".`);
    if (inline === '') throw badFlag(`${shown} needs ${sayValues(values)}.`);
    return [inline];
  }
  return values.map(() => {
    const value = rest.next().value as string | undefined;
    // A dash alone is a value, and so is a negative number; whatever else begins with a dash is the next
    // flag.
    if (value === undefined || value === '' || /^-\D/.test(value)) {
      throw badFlag(`${shown} needs ${sayValues(values)}.`);
    }
    return value;
  });
}

function sayValues(values: readonly string[]): string {
  return values.length === 0 ? 'no value' : values.join(' ');
}
