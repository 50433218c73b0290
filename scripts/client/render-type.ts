/** A JSON Schema as zod writes it, as far as the client's types depend on it. */
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
  /** Set by the generator: a decimal text that the client turns into a bigint. */
  readonly isDecimal?: boolean;
}

/** Which way the values of a type travel: callers may leave a member of an input undefined. */
export type Direction = 'input' | 'output';

/** Width of a comment's text: the printWidth of .oxfmtrc.json, less the deepest indentation. */
const COMMENT_COLUMNS = 90;

/**
 * The TypeScript type of a JSON Schema.
 *
 * @throws Error for a schema that none of the operations has so far.
 */
export function renderType(schema: Schema, direction: Direction): string {
  if (schema.isDecimal === true) return 'bigint';
  if (schema.const !== undefined) return quote(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(quote).join(' | ');
  if (schema.anyOf !== undefined) return renderChoice(schema.anyOf, direction);
  if (typeof schema.type === 'object') return schema.type.join(' | ');
  switch (schema.type) {
    case 'object':
      return schema.properties === undefined
        ? 'Readonly<Record<string, unknown>>'
        : renderMembers(schema, direction);
    case 'array':
      return `readonly (${renderType(schema.items ?? {}, direction)})[]`;
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

/** The members of an object schema, each with its description. */
export function renderMembers(schema: Schema, direction: Direction): string {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const isOptional = schema.required?.includes(name) !== true;
    const type = renderType(member, direction);
    const orNothing = isOptional && direction === 'input' ? ' | undefined' : '';
    return `${renderComment(describe(name, member))}readonly ${name}${isOptional ? '?' : ''}: ${type}${orNothing};\n`;
  });
  return `{\n${members.join('')}}`;
}

/** A description of a cluster names those of one service; a client may call any. */
const describe = (name: string, { description }: Schema): string | undefined =>
  name === 'cluster' && description?.startsWith('The cluster to work on') === true
    ? 'The cluster to work on, as the service names it. Default: the first of the service.'
    : description;

/** A description as a doc comment; empty without one. */
export function renderComment(description: string | undefined): string {
  if (description === undefined) return '';
  const lines: string[] = [];
  for (const word of description.replaceAll('*/', '* /').split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < COMMENT_COLUMNS) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}

/** An integer or a text of digits is a whole number up to u64, which a bigint holds exactly. */
function renderChoice(choices: readonly Schema[], direction: Direction): string {
  const [first, second] = choices;
  const isWhole = first?.type === 'integer' && second?.pattern?.includes('[0-9]') === true;
  if (isWhole && choices.length === 2) return 'WholeNumber';
  return choices.map((choice) => renderType(choice, direction)).join(' | ');
}

const quote = (text: string): string => `'${text}'`;

/**
 * The paths of the decimal texts in an output: `*` stands for each member of a list. After a name, `?` says
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
  // One of two forms would have to be told apart before a member of it counts as missing.
  if (choices.length > 1) throw new Error(`no paths are written for ${JSON.stringify(schema)}`);
  return [...members, ...items]
    .flatMap(([name, member]) => decimalPaths(member).map((path) => (path === '' ? name : `${name}.${path}`)))
    .concat(...choices);
}

/** The names of the members that every output has, and not as null. */
export function requiredMembers({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).flatMap(([name, member]) =>
    required.includes(name) && !isNullable(member) ? [name] : [],
  );
}

const isNullable = ({ type, anyOf }: Schema): boolean =>
  type === 'null' || (typeof type === 'object' && type.includes('null')) || anyOf?.some(isNullable) === true;
