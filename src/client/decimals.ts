import { PaymentsError } from './payments-error.ts';

const DECIMAL = /^-?(?:0|[1-9][0-9]*)$/;

/**
 * Replaces the decimal texts at `paths` by bigints, in place.
 *
 * @param paths names joined by dots; `*` stands for each member of a list. A name that ends with `?` may be
 *   absent, one with `|null` may be null: it then stays so.
 * @throws {PaymentsError} ANSWER_UNUSABLE if one of them is missing or no decimal text: a balance is never
 *   guessed.
 */
export function readDecimals(answer: object, paths: readonly string[]): void {
  for (const path of paths) replace(answer, path.split('.'), path);
}

/** A name of a path, and what it may be in place of its value. */
const STEP = /^(.*?)(\?)?(\|null)?$/;

function replace(at: unknown, [step = '', ...rest]: readonly string[], path: string): void {
  if (typeof at !== 'object' || at === null) throw unusable(path);
  if (step === '*') {
    if (!Array.isArray(at)) throw unusable(path);
    for (const each of at) replace(each, rest, path);
    return;
  }
  const [, name = '', mayBeAbsent, mayBeNull] = STEP.exec(step) ?? [];
  const members = at as Record<string, unknown>;
  const value = members[name];
  if (value === undefined && mayBeAbsent !== undefined) return;
  if (value === null && mayBeNull !== undefined) return;
  if (rest.length > 0) replace(value, rest, path);
  else members[name] = toBigInt(value, path);
}

function toBigInt(text: unknown, path: string): bigint {
  if (typeof text !== 'string' || !DECIMAL.test(text)) throw unusable(path);
  return BigInt(text);
}

const unusable = (path: string): PaymentsError =>
  new PaymentsError(
    'ANSWER_UNUSABLE',
    `${path.replace(/\?|\|null/g, '')} of the answer is not a whole number as a decimal text`,
  );
