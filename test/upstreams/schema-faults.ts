type Schema = Readonly<Record<string, unknown>>;

/** The context of a checked value. */
interface Place {
  /** The document that references start at. */
  readonly root: Schema;
  /** JSON Pointer of the value. */
  readonly at: string;
}

type Keyword = (argument: never, value: unknown, place: Place, schema: Schema) => string[];

/** Keywords for people, which do not restrict the value. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'description',
  'title',
  'examples',
  'default',
  'format',
  '$defs',
]);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
};

/** The keywords that the service uses in schemas of answers (JSON Schema 2020-12). */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  $ref: (reference: string, value, place) => findFaults(resolve(place.root, reference), value, place),
  type: (types: string | readonly string[], value, { at }) =>
    [types].flat().some((type) => TYPES[type as string]?.(value)) ? [] : [`${at} is no ${types}`],
  const: (only: unknown, value, { at }) => (value === only ? [] : [`${at} is not ${JSON.stringify(only)}`]),
  enum: (choices: readonly unknown[], value, { at }) =>
    choices.includes(value) ? [] : [`${at} is none of ${JSON.stringify(choices)}`],
  minimum: (least: number, value, { at }) =>
    typeof value === 'number' && value < least ? [`${at} is under ${least}`] : [],
  maximum: (most: number, value, { at }) =>
    typeof value === 'number' && value > most ? [`${at} is over ${most}`] : [],
  anyOf: (schemas: readonly Schema[], value, place) =>
    schemas.some((schema) => findFaults(schema, value, place).length === 0)
      ? []
      : [`${place.at} is none of what anyOf lists`],
  items: (schema: Schema, value, { root, at }) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => findFaults(schema, item, { root, at: `${at}/${index}` }))
      : [],
  required: (names: readonly string[], value, { at }) =>
    isObject(value)
      ? names.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}/${name} is missing`)
      : [],
  properties: (properties: Readonly<Record<string, Schema>>, value, { root, at }) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, member]) => {
          const schema = properties[name];
          if (schema === undefined) return [`${at}/${name} is not described`];
          return findFaults(schema, member, { root, at: `${at}/${name}` });
        })
      : [],
};

/**
 * Validates a value against its JSON Schema and describes every fault. Unlike in JSON Schema, unknown members
 * are faults.
 *
 * @throws {Error} for an unsupported keyword.
 */
export function findFaults(
  schema: Schema,
  value: unknown,
  place: Place = { root: schema, at: '' },
): string[] {
  return Object.entries(schema).flatMap(([name, argument]) => {
    if (ANNOTATIONS.has(name)) return [];
    const keyword = KEYWORDS[name];
    if (keyword === undefined) throw new Error(`the keyword ${name} is not known`);
    return keyword(argument as never, value, place, schema);
  });
}

/** Returns the schema that a reference within a document names. */
export function resolve(root: Schema, reference: string): Schema {
  let found: unknown = root;
  for (const step of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    found = (found as Schema)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  if (!isObject(found)) throw new Error(`${reference} leads nowhere`);
  return found;
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
