/** The parts of zod's JSON Schemas that the client's types depend on. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly pattern?: string;
  readonly additionalProperties?: unknown;
  /** Whether the client converts the decimal text into a bigint. Set by the generator. */
  readonly isDecimal?: boolean;
}

/** The direction of a type. Members of an input may be undefined. */
export type Direction = 'input' | 'output';

/** An object type that several operations share and the client declares once. */
export interface SharedType {
  readonly name: string;
  readonly description?: string;
  readonly schema: Schema;
}

/**
 * Renders a JSON Schema as a TypeScript type.
 *
 * @throws {Error} for an unsupported schema.
 */
function renderType(schema: Schema, direction: Direction, shared: readonly SharedType[]): string {
  if (schema.isDecimal === true) return 'bigint';
  if (schema.const !== undefined) return quote(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(quote).join(' | ');
  if (schema.anyOf !== undefined) return renderChoice(schema.anyOf, direction, shared);
  if (typeof schema.type === 'object') return schema.type.join(' | ');
  switch (schema.type) {
    case 'object':
      return schema.properties === undefined
        ? 'Readonly<Record<string, unknown>>'
        : renderObject(schema, direction, shared);
    case 'array':
      return `readonly (${renderType(schema.items ?? {}, direction, shared)})[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
  }
  throw new Error(`no type is written for ${JSON.stringify(schema)}`);
}

function renderObject(schema: Schema, direction: Direction, shared: readonly SharedType[]): string {
  const { bases, own } = splitMembers(schema, shared);
  const isWhole = bases.length > 0 && Object.keys(own.properties ?? {}).length === 0;
  return [...bases, ...(isWhole ? [] : [renderMembers(own, direction, shared)])].join(' & ');
}

/** Renders an interface that extends the shared types whose members it has. */
export function renderInterface(
  { name, description, schema }: SharedType,
  direction: Direction,
  shared: readonly SharedType[],
): string {
  const others = shared.filter((type) => type.schema !== schema);
  const { bases, own } = splitMembers(schema, others);
  const heritage = bases.length === 0 ? '' : ` extends ${bases.join(', ')}`;
  return `${renderComment(description)}export interface ${name}${heritage} ${renderMembers(own, direction, shared)}\n`;
}

/** Splits the members of a schema into shared types without overlaps, and its own members. */
function splitMembers(schema: Schema, shared: readonly SharedType[]): { bases: string[]; own: Schema } {
  const bases: string[] = [];
  let { properties = {} } = schema;
  for (const { name, schema: base } of shared) {
    if (!hasMembersOf({ properties, required: schema.required ?? [] }, base)) continue;
    bases.push(name);
    properties = Object.fromEntries(
      Object.entries(properties).filter(([member]) => !(member in (base.properties ?? {}))),
    );
  }
  return { bases, own: { ...schema, properties } };
}

/** Returns whether a schema has all members of another with the same descriptions. */
function hasMembersOf(schema: Schema, { properties = {}, required }: Schema): boolean {
  return Object.entries(properties).every(
    ([name, member]) =>
      JSON.stringify(schema.properties?.[name]) === JSON.stringify(member) &&
      schema.required?.includes(name) === required?.includes(name),
  );
}

/** Renders the members of an object schema with their descriptions. */
function renderMembers(schema: Schema, direction: Direction, shared: readonly SharedType[]): string {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const isOptional = schema.required?.includes(name) !== true;
    const type = renderType(member, direction, shared);
    const orNothing = isOptional && direction === 'input' ? ' | undefined' : '';
    return `${renderComment(describe(name, member))}readonly ${name}${isOptional ? '?' : ''}: ${type}${orNothing};\n`;
  });
  return `{\n${members.join('')}}`;
}

/** Describes a member, unless it is constant. Cluster descriptions do not name one service's clusters. */
function describe(name: string, { description, const: only }: Schema): string | undefined {
  if (only !== undefined) return undefined;
  return name === 'cluster' && description?.startsWith('The cluster to work on') === true
    ? 'The cluster to work on, as the service names it. Default: the first of the service.'
    : description;
}

/** Renders a description as a one-line doc comment; empty without a description. */
export function renderComment(description: string | undefined): string {
  return description === undefined ? '' : `/** ${description.replaceAll('*/', '* /')} */\n`;
}

/** Breaks each doc comment that is wider than `columns`. */
export function wrapComments(code: string, columns: number): string {
  return code.replace(/^( *)\/\*\* (.*) \*\/$/gm, (comment, indent: string, text: string) => {
    if (comment.length <= columns) return comment;
    const lines = wrap(text.split(' '), columns - indent.length - ' * '.length);
    return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`].join('\n');
  });
}

/** Wraps words into lines of at most `columns` characters. */
export function wrap(words: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Renders a union. An integer or a text of digits becomes a whole number up to u64. */
function renderChoice(
  choices: readonly Schema[],
  direction: Direction,
  shared: readonly SharedType[],
): string {
  const [first, second] = choices;
  const isWhole = first?.type === 'integer' && second?.pattern?.includes('[0-9]') === true;
  if (isWhole && choices.length === 2) return 'WholeNumber';
  return choices.map((choice) => renderType(choice, direction, shared)).join(' | ');
}

const quote = (text: string): string => `'${text}'`;

/**
 * The paths of the decimal strings in an output. `*` stands for each item of a list. After a name, `?` means
 * that the member may be absent, and `|null` that it may be null.
 */
export function decimalPaths(schema: Schema): string[] {
  if (schema.isDecimal === true) return [''];
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const isOptional = schema.required?.includes(name) !== true;
    return [`${name}${isOptional ? '?' : ''}${isNullable(member) ? '|null' : ''}`, member] as const;
  });
  const items = schema.items === undefined ? [] : [['*', schema.items] as const];
  const choices = (schema.anyOf ?? []).map(decimalPaths).filter((paths) => paths.length > 0);
  // A union of forms would need a discriminator, which is not supported.
  if (choices.length > 1) throw new Error(`no paths are written for ${JSON.stringify(schema)}`);
  return [...members, ...items]
    .flatMap(([name, member]) => decimalPaths(member).map((path) => (path === '' ? name : `${name}.${path}`)))
    .concat(...choices);
}

/** The names of the members that are present and not null in every output. */
export function requiredMembers({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).flatMap(([name, member]) =>
    required.includes(name) && !isNullable(member) ? [name] : [],
  );
}

const isNullable = ({ type, anyOf }: Schema): boolean =>
  type === 'null' || (typeof type === 'object' && type.includes('null')) || anyOf?.some(isNullable) === true;
