import type { JsonValue } from '../../json/json-value.ts';
import { describeUnexpected } from './unexpected.ts';

/**
 * Converts a JSON value to a method's argument, or throws a {@link ParamFault}. Readers compose like serde's
 * `Deserialize` implementations and report faults with the same texts.
 */
export type ParamReader<T> = (value: JsonValue) => T;

/** A fault in a parameter, in serde's words without the final dot. */
export class ParamFault extends Error {
  override readonly name = 'ParamFault';
}

/** `value` does not have the type `expected`. */
export function invalidType(value: JsonValue, expected: string): ParamFault {
  return new ParamFault(`invalid type: ${describeUnexpected(value)}, expected ${expected}`);
}

/** `value` has the right type but is out of bounds. */
export function invalidValue(value: JsonValue, expected: string): ParamFault {
  return new ParamFault(`invalid value: ${describeUnexpected(value)}, expected ${expected}`);
}
