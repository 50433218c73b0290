import { quoted } from '../../errors/quoted-text.ts';
import { readNumber } from '../../json/plain-json.ts';
import type { JsonObject } from '../input/json-object.ts';
import type { ObjectSchema } from '../input/json-schema.ts';
import type { InvalidField } from '../problem.ts';

type QueryInput =
  | { readonly input: JsonObject; readonly faults?: undefined }
  | { readonly input?: undefined; readonly faults: readonly InvalidField[] };

type QueryReader = (target: string) => QueryInput;

const FAULTS_MAX = 10;

/** Matches JSON numbers. The schema rejects other text. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * Creates a query reader for an input schema. It converts `true`, `false` and numbers, and keeps members that
 * may be text, such as amounts, as text. The schema rejects other values with its own message. Repeated
 * parameters and percent-encoding that is not UTF-8 are faults.
 *
 * @throws Error if the schema has members that a query cannot carry.
 */
export function createQueryReader(schema: ObjectSchema): QueryReader {
  const converters = new Map(
    Object.entries(schema.properties).map(([name, property]) => [name, converterFor(name, property)]),
  );
  return (target) => {
    const entries = new Map<string, unknown>();
    const faults: InvalidField[] = [];
    for (const pair of pairsOf(target)) {
      const [name, text] = pair.split(/=(.*)/s, 2).map(decode);
      if (name === undefined || (text === undefined && pair.includes('='))) {
        faults.push(fault([], 'The query is not percent-encoded UTF-8.'));
      } else if (entries.has(name)) {
        faults.push(fault([name], `Parameter ${quoted(name, 64)} is passed more than once.`));
      } else entries.set(name, (converters.get(name) ?? asIs)(text ?? ''));
      if (faults.length === FAULTS_MAX) break;
    }
    return faults.length > 0 ? { faults } : { input: Object.fromEntries(entries) };
  };
}

function pairsOf(target: string): readonly string[] {
  const start = target.indexOf('?');
  return start < 0
    ? []
    : target
        .slice(start + 1)
        .split('&')
        .filter((pair) => pair !== '');
}

/** Decodes HTML form encoding, where `+` is a space. Returns undefined if the text is malformed. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

type Converter = (text: string) => unknown;

const asIs: Converter = (text) => text;

const asBoolean: Converter = (text) => (text === 'true' ? true : text === 'false' ? false : text);

const asNumber: Converter = (text) => (NUMBER.test(text) ? readNumber(text) : text);

function converterFor(name: string, property: JsonObject): Converter {
  const types = typesOf(property);
  if (types.includes('string')) return asIs;
  if (types.includes('boolean')) return asBoolean;
  if (types.includes('integer') || types.includes('number')) return asNumber;
  throw new Error(`a query cannot carry ${name}`);
}

/** Returns the JSON types that a schema allows, including its alternatives. */
function typesOf({ type, anyOf, oneOf, enum: values, const: value }: JsonObject): readonly unknown[] {
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  if (Array.isArray(values)) return values.map((each) => typeof each);
  if (value !== undefined) return [typeof value];
  const alternatives = [anyOf, oneOf].filter(Array.isArray).flat() as JsonObject[];
  return alternatives.flatMap(typesOf);
}

function fault(path: readonly string[], message: string): InvalidField {
  return { path, code: 'custom', message };
}
