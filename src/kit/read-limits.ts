import type { PaymentLimits } from './options.ts';

/** The limits by what they are. The compiler misses one that is added to the options and not here. */
const KINDS: { readonly [Name in keyof PaymentLimits]-?: 'number' | 'list' } = {
  maxAmount: 'number',
  maxLamports: 'number',
  mints: 'list',
  recipients: 'list',
  validators: 'list',
  programs: 'list',
};

/**
 * A copy of the limits that a caller names, each of which can be compared with: `NaN` and `'1.5'` compare as
 * no limit at all, and a text in place of a list has its parts among what it allows.
 *
 * @param given undefined for no limits.
 * @throws {TypeError} for a limit that is not known, or is not of its kind.
 */
export function readLimits(given: PaymentLimits | undefined): PaymentLimits {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null || Symbol.iterator in given) {
    throw new TypeError('limits must be an object with the limits by their names');
  }
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(KINDS, name));
  if (unknown !== undefined) {
    throw new TypeError(`limits.${unknown} is no limit: there are ${Object.keys(KINDS).join(', ')}`);
  }
  const names = Object.keys(KINDS) as (keyof PaymentLimits)[];
  return Object.fromEntries(names.map((name) => [name, readLimit(name, given[name])]));
}

function readLimit(name: keyof PaymentLimits, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (KINDS[name] === 'list') {
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return [...value];
    throw new TypeError(`limits.${name} must be a list of texts`);
  }
  if (typeof value === 'bigint' && value >= 0n) return value;
  throw new TypeError(`limits.${name} must be a bigint of 0n or more, such as 1_500_000n`);
}
