import { ServiceError } from '../errors/service-error.ts';
import { FLAG_ENTRIES, FLAGS, type Flag, type FlagName } from './flags.ts';
import { findNearestFlag } from './nearest-flag.ts';
import { refusalOf } from './refused-flags.ts';

/** A command line, taken apart. */
export interface ParsedFlags {
  /** What stood there without a flag. */
  readonly words: readonly string[];
  /** The values of each time a flag was given, in order; none of them for a switch. */
  readonly values: ReadonlyMap<FlagName, readonly (readonly string[])[]>;
}

const BY_SHORT = new Map(
  FLAG_ENTRIES.flatMap(([name, { short }]) => (short === undefined ? [] : [[short, name]])),
);

const BY_ALIAS = new Map<string, FlagName>(
  FLAG_ENTRIES.flatMap(([name, { alias }]) => (alias === undefined ? [] : [[alias, name] as const])),
);

/**
 * Takes the arguments after the program's name apart: `--name value ...`, `--name=value`, `-n value`.
 *
 * @throws {ServiceError} CONFIG_INVALID for a flag that is unknown, lacks a value or is given twice.
 */
export function readFlags(args: readonly string[]): ParsedFlags {
  const words: string[] = [];
  const values = new Map<FlagName, (readonly string[])[]>();
  const rest = args.values();
  for (const arg of rest) {
    if (!arg.startsWith('-')) {
      words.push(arg);
      continue;
    }
    const [shown, inline] = splitAtEquals(arg);
    const name = findFlag(shown);
    const flag: Flag = FLAGS[name];
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

function findFlag(shown: string): FlagName {
  const long = shown.slice(2);
  const name = shown.startsWith('--') ? (BY_ALIAS.get(long) ?? long) : BY_SHORT.get(shown.slice(1));
  if (name !== undefined && Object.hasOwn(FLAGS, name)) return name as FlagName;
  const refusal = shown.startsWith('--') ? refusalOf(long) : undefined;
  if (refusal !== undefined) throw badFlag(refusal);
  const nearest = shown.startsWith('--') ? findNearestFlag(shown.slice(2)) : undefined;
  throw badFlag(`Unknown option '${shown}'.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`);
}

function takeValues(
  shown: string,
  { values = [] }: Flag,
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
