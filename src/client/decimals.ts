import { PaymentsError } from './payments-error.ts';

const DECIMAL = /^-?(?:0|[1-9][0-9]*)$/;

/**
 * Replaces the decimal texts at `paths` by bigints, in place. What is absent or null stays so.
 *
 * @param paths names joined by dots; `*` stands for each member of a list.
 * @throws {PaymentsError} ANSWER_UNUSABLE if one of them is no decimal text: a balance is never guessed.
 */
export function readDecimals(answer: object, paths: readonly string[]): void {
  for (const path of paths) replace(answer, path.split('.'), path);
}

function replace(at: unknown, [name = '', ...rest]: readonly string[], path: string): void {
  if (at === null || at === undefined) return;
  if (typeof at !== 'object') throw unusable(path);
  if (name === '*') {
    if (!Array.isArray(at)) throw unusable(path);
    for (const each of at) replace(each, rest, path);
    return;
  }
  const members = at as Record<string, unknown>;
  if (rest.length > 0) replace(members[name], rest, path);
  else if (members[name] !== undefined && members[name] !== null) {
    members[name] = toBigInt(members[name], path);
  }
}

function toBigInt(text: unknown, path: string): bigint {
  if (typeof text !== 'string' || !DECIMAL.test(text)) throw unusable(path);
  return BigInt(text);
}

const unusable = (path: string): PaymentsError =>
  new PaymentsError('ANSWER_UNUSABLE', `${path} of the answer is not a whole number as a decimal text`);
