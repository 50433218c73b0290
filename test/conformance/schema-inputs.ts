import * as fc from 'fast-check';
import { encodeBase58 } from '../../src/solana/base58.ts';
import type { JsonObject } from '../../src/service/input/json-object.ts';
import type { ObjectSchema } from '../../src/service/input/json-schema.ts';

/** The pattern of u64 texts. It also allows larger numbers. */
const U64_PATTERN = /\[0-9\]\{\d,\d+\}\$$/;

const U64_MAX = 2n ** 64n - 1n;

/**
 * Decoded size of base58 texts by the length range in their schema: 32 bytes (address) have 32 to 44
 * characters, 64 bytes (signature) have 64 to 88. JSON Schema cannot express more.
 */
const BYTES_BY_LENGTHS: Readonly<Record<string, number>> = { '32-44': 32, '64-88': 64 };

/** An input with one fault. */
export interface InvalidInput {
  readonly input: JsonObject;
  /** The member with the fault. */
  readonly member: string;
  /** The invalid value; undefined if the member is missing. */
  readonly value: unknown;
  /** Description of the fault. */
  readonly fault: string;
}

/** Returns valid inputs of a schema: all required members and any optional ones. */
export function validInputs({ properties, required }: ObjectSchema): fc.Arbitrary<JsonObject> {
  const members = Object.entries(properties).map(([name, schema]) => [name, valueOf(schema)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required] });
}

/** Returns inputs with one invalid member: it is missing, unknown, or has an invalid value. */
export function invalidInputs(schema: ObjectSchema): fc.Arbitrary<InvalidInput> {
  const { properties, required } = schema;
  const faults: fc.Arbitrary<{ member: string; fault: string; value: unknown }>[] = [
    fc
      .stringMatching(/^[a-z]{1,12}$/)
      .filter((name) => !Object.hasOwn(properties, name))
      .map((member) => ({ member, fault: 'unknown', value: 1 })),
    ...required.map((member) => fc.constant({ member, fault: 'missing', value: undefined })),
    ...Object.entries(properties).map(([member, property]) =>
      faultOf(property, required.includes(member)).map(([fault, value]) => ({ member, fault, value })),
    ),
  ];
  return fc.tuple(validInputs(schema), fc.oneof(...faults)).map(([input, { member, fault, value }]) => {
    const { [member]: _replaced, ...rest } = input;
    return { member, fault, value, input: value === undefined ? rest : { ...rest, [member]: value } };
  });
}

function valueOf(schema: JsonObject): fc.Arbitrary<unknown> {
  const { const: only, enum: choices, anyOf, type } = schema;
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(choices)) return fc.constantFrom(...(choices as unknown[]));
  if (Array.isArray(anyOf)) return fc.oneof(...(anyOf as JsonObject[]).map(valueOf));
  if (Array.isArray(type))
    return fc.oneof(...type.map((each) => valueOf({ ...schema, type: each as string })));
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (type === 'integer') return integerOf(schema);
  if (type === 'string') return stringOf(schema);
  if (type === 'array') return arrayOf(schema);
  if (type === 'object') {
    return validInputs({ properties: {}, required: [], ...schema } as unknown as ObjectSchema);
  }
  throw new Error(`no values for ${JSON.stringify(schema)}`);
}

function integerOf({ minimum, maximum }: JsonObject): fc.Arbitrary<number> {
  return fc.maxSafeInteger().map((value) => {
    const low = typeof minimum === 'number' ? minimum : Number.MIN_SAFE_INTEGER;
    const high = typeof maximum === 'number' ? maximum : Number.MAX_SAFE_INTEGER;
    return Number(BigInt(low) + ((BigInt(value) + 2n ** 53n) % (BigInt(high) - BigInt(low) + 1n)));
  });
}

function stringOf(schema: JsonObject): fc.Arbitrary<string> {
  const { pattern, minLength = 0, maxLength = 64, examples } = schema;
  if (Array.isArray(examples)) return fc.constantFrom(...(examples as string[]));
  const bytes = base58BytesOf(schema);
  if (bytes !== undefined) return base58Of(bytes);
  if (typeof pattern === 'string') {
    return fc
      .stringMatching(new RegExp(pattern))
      .filter((text) => !U64_PATTERN.test(pattern) || BigInt(text) <= U64_MAX);
  }
  return fc.string({ minLength: Number(minLength), maxLength: Math.min(Number(maxLength), 300) });
}

function arrayOf({ items, minItems = 0, maxItems = 10 }: JsonObject): fc.Arbitrary<unknown[]> {
  const lengths = { minLength: Number(minItems), maxLength: Number(maxItems) };
  return fc.array(valueOf(items as JsonObject), lengths);
}

/** Returns a fault's description and a value with it. Null is valid for optional members. */
function faultOf(schema: JsonObject, isRequired: boolean): fc.Arbitrary<readonly [string, unknown]> {
  const wrongTypes = [...(isRequired ? [null] : []), true, 1.5, 'text', [], {}].filter(
    (value) => !allowsType(schema, value),
  );
  return fc.constantFrom(
    ...wrongTypes.map((value) => [`of a wrong type: ${JSON.stringify(value)}`, value] as const),
    ...listOutOfRange(schema),
  );
}

function allowsType(schema: JsonObject, value: unknown): boolean {
  const { anyOf, type, enum: choices } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((each) => allowsType(each as JsonObject, value));
  // `listOutOfRange` tests the other constraints of strings.
  if (Array.isArray(choices)) return choices.some((choice) => typeof choice === typeof value);
  if (Array.isArray(value)) return type === 'array';
  return value !== null && type === typeof value;
}

function listOutOfRange(schema: JsonObject): readonly (readonly [string, unknown])[] {
  const { anyOf, enum: choices, type, minimum, maximum, minLength, maxLength, pattern } = schema;
  if (Array.isArray(anyOf)) {
    const others = anyOf as JsonObject[];
    return others.flatMap((each) => listOutOfRange(each));
  }
  if (Array.isArray(choices)) return [['no choice', 'neither']];
  const faults: (readonly [string, unknown])[] = [];
  if (typeof minimum === 'number') faults.push(['too low', minimum - 1]);
  if (typeof maximum === 'number') faults.push(['too high', maximum + 1]);
  if (typeof minLength === 'number' && minLength > 0) faults.push(['too short', '1'.repeat(minLength - 1)]);
  if (typeof maxLength === 'number') faults.push(['too long', '1'.repeat(maxLength + 1)]);
  if (typeof pattern === 'string') faults.push(['of another form', '~ no such form ~']);
  const bytes = base58BytesOf(schema);
  if (bytes !== undefined) {
    faults.push(['no base58', '0'.repeat(bytes)], ['of too few bytes', '2'.repeat(bytes)]);
  }
  if (type === 'array') faults.push(...listWrongLengths(schema));
  return faults;
}

function listWrongLengths({
  items,
  minItems,
  maxItems,
}: JsonObject): readonly (readonly [string, unknown])[] {
  const [item] = fc.sample(valueOf(items as JsonObject), { numRuns: 1, seed: 1 });
  const listOf = (length: number): unknown[] => Array.from({ length }, () => item);
  return [
    ...(typeof minItems === 'number' && minItems > 0 ? [['too few', listOf(minItems - 1)] as const] : []),
    ...(typeof maxItems === 'number' ? [['too many', listOf(maxItems + 1)] as const] : []),
  ];
}

function base58BytesOf({ type, minLength, maxLength }: JsonObject): number | undefined {
  return type === 'string' ? BYTES_BY_LENGTHS[`${String(minLength)}-${String(maxLength)}`] : undefined;
}

function base58Of(length: number): fc.Arbitrary<string> {
  return fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => encodeBase58(Uint8Array.from(bytes)));
}
