import type { JsonValue } from '../../json/json-value.ts';
import { describeUnexpected } from './unexpected.ts';

/**
 * Turns one JSON value into what a method wants, or throws a {@link ParamFault}. Readers are composed as
 * serde's `Deserialize` implementations are, and their faults have the same texts.
 */
export type ParamReader<T> = (value: JsonValue) => T;

/** What is wrong with a parameter, in serde's words and without the final dot. */
export class ParamFault extends Error {
  override readonly name = 'ParamFault';
}

/** `value` is of another type than `expected` names. */
export function invalidType(value: JsonValue, expected: string): ParamFault {
  return new ParamFault(`invalid type: ${describeUnexpected(value)}, expected ${expected}`);
}

/** `value` is of the right type, but out of bounds. */
export function invalidValue(value: JsonValue, expected: string): ParamFault {
  return new ParamFault(`invalid value: ${describeUnexpected(value)}, expected ${expected}`);
}
