import { format } from 'oxfmt';
import { z } from 'zod';
import { ERROR_CODES, MERCHANT_CODES } from '../../src/errors/codes.ts';
import { DECIMAL_TEXTS } from '../../src/payments/fields/fields.ts';
import type { Operation } from '../../src/payments/operation.ts';
import type { RefusalCode } from '../../src/service/refusal.ts';
import { REST_TABLE } from '../../src/service/rest/rest-table.ts';
import { createOperations } from '../../src/stack/operations.ts';
import { describedClusters } from './described-clusters.ts';
import {
  decimalPaths,
  renderComment,
  renderInterface,
  requiredMembers,
  type Schema,
  type SharedType,
  wrap,
  wrapComments,
} from './render-type.ts';

import formatting from '../../.oxfmtrc.json' with { type: 'json' };

/** All refusal codes. The type makes the compiler report a missing one. */
const REFUSALS: Record<RefusalCode, true> = {
  FOREIGN_HOST: true,
  FOREIGN_ORIGIN: true,
  NOT_FOUND: true,
  METHOD_NOT_ALLOWED: true,
  UNSUPPORTED_MEDIA_TYPE: true,
  BODY_TOO_LARGE: true,
  BODY_NOT_JSON: true,
  BODY_TOO_DEEP: true,
  MEMBER_REPEATED: true,
  CREDENTIALS_MISSING: true,
  CREDENTIALS_MALFORMED: true,
  CREDENTIALS_INVALID: true,
  CREDENTIALS_UNCHECKED: true,
  INSUFFICIENT_SCOPE: true,
  IDEMPOTENCY_KEY_INVALID: true,
  IDEMPOTENCY_KEY_IN_USE: true,
  IDEMPOTENCY_KEY_REUSED: true,
  RATE_LIMITED: true,
  INTERNAL_ERROR: true,
};

const HEAD = `// Written by \`npm run client\` from the schemas of the operations: change those, not this file.

/** A whole number up to 2^64 - 1: a bigint, a safe integer, or a decimal string. */
export type WholeNumber = bigint | number | string;

/** A REST operation: its method and path, and how the client calls it. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Whether the bearer token is sent. */
  readonly usesToken: boolean;
  /** Whether each call gets an \`Idempotency-Key\`. */
  readonly isKeyed: boolean;
  /** Whether the request may be repeated without a key. */
  readonly isRead: boolean;
  /** The members that every answer has. */
  readonly required: readonly string[];
  /**
   * Paths of the decimal strings in the response. \`*\` stands for each item of a list. After a name, \`?\`
   * means that the member may be absent, and \`|null\` that it may be null.
   */
  readonly decimals: readonly string[];
}
`;

/** The text of `src/client/generated.ts`, formatted. */
export async function renderClient(): Promise<string> {
  const operations = placedOperations();
  const [inputs, outputs] = [sharedInputs(operations), sharedOutputs(operations)];
  const text = [
    HEAD,
    renderCodes(),
    ...inputs.map((type) => renderInterface(type, 'input', inputs)),
    ...outputs.map((type) => renderInterface(type, 'output', outputs)),
    ...operations.flatMap((operation) => renderTypes(operation, inputs, outputs)),
    renderCalls(operations),
    renderRoutes(operations, sharedNames(operations)),
  ].join('\n');
  const { singleQuote, printWidth } = formatting;
  const { code, errors } = await format('generated.ts', text, { singleQuote, printWidth });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
  return wrapComments(code, printWidth);
}

/** The operations with a REST path, in the order of the REST table. */
function placedOperations(): readonly Operation[] {
  const offered = createOperations({ gaslessSponsorSecretKey: null }, describedClusters(), {
    clock: { now: () => 0 },
    random: { bytes: (count: number) => new Uint8Array(count) },
  } as never);
  return Object.keys(REST_TABLE).map((name) => named(offered, name));
}

function renderCodes(): string {
  const own = Object.keys(ERROR_CODES).filter((code) => !Object.hasOwn(MERCHANT_CODES, code));
  const codes = [...own, ...Object.keys(REFUSALS)];
  return `/** The codes that the service fails with. */\n// oxfmt-ignore\nexport const SERVICE_CODES = ${renderNames(codes, 2)} as const;\n`;
}

/** Lists that several routes share, by the names of their constants. */
type SharedNames = Readonly<Record<string, readonly string[]>>;

/** Formats a list of strings with several per line. Shared lists in it are spread from their constants. */
function renderNames(names: readonly string[], indent: number, shared: SharedNames = {}): string {
  let text = names.map((name) => `'${name}'`).join(', ');
  for (const [constant, part] of Object.entries(shared)) {
    text = text.replace(part.map((name) => `'${name}'`).join(', '), `...${constant}`);
  }
  const list = text === '' ? [] : text.split(' ');
  const [only = '', ...more] = wrap(list, formatting.printWidth - indent);
  return more.length === 0
    ? `[${only}]`
    : `[\n${[only, ...more].map((line) => `${' '.repeat(indent)}${line}\n`).join('')}${' '.repeat(indent - 2)}]`;
}

/** Types that several inputs share, those with more members first. */
function sharedInputs(operations: readonly Operation[]): readonly SharedType[] {
  const deposit = inputSchemaOf(named(operations, 'deposit').input);
  return [
    {
      name: 'BuildInput',
      description: 'Arguments of operations that build one transaction.',
      schema: pick(deposit, ['cluster', 'simulate']),
    },
    {
      name: 'ClusterInput',
      description: 'Arguments of all operations.',
      schema: pick(deposit, ['cluster']),
    },
  ];
}

const UNSIGNED = [
  'version',
  'transactionBase64',
  'sendTo',
  'recentBlockhash',
  'lastValidBlockHeight',
  'instructionCount',
  'requiredSigners',
];

/** Types that several outputs share, those with more members first. */
function sharedOutputs(operations: readonly Operation[]): readonly SharedType[] {
  const deposit = outputSchemaOf(named(operations, 'deposit').output);
  const explanation = outputSchemaOf(named(operations, 'explainTransaction').output);
  return [
    {
      name: 'BuiltTransaction',
      description: 'An unsigned transaction, and what its builder reports.',
      schema: pick(deposit, [...UNSIGNED, 'notes', 'warnings', 'simulation']),
    },
    {
      name: 'UnsignedTransaction',
      description: 'An unsigned transaction.',
      schema: pick(deposit, UNSIGNED),
    },
    {
      name: 'WithNotes',
      schema: pick(deposit, ['notes']),
    },
    {
      name: 'WithEndpoint',
      schema: pick(outputSchemaOf(named(operations, 'transfer').output), ['sendRpcEndpoint']),
    },
    {
      name: 'BuildWarning',
      description: 'A problem to fix before sending.',
      schema: memberOf(deposit, 'warnings'),
    },
    {
      name: 'Simulation',
      description: 'The result of a simulation.',
      schema: memberOf(deposit, 'simulation'),
    },
    {
      name: 'TokenChange',
      description: 'A change of the tokens of one owner.',
      schema: memberOf(memberOf(explanation, 'effects'), 'tokens'),
    },
  ];
}

function named(operations: readonly Operation[], name: string): Operation {
  const operation = operations.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`nobody offers ${name}`);
  return operation;
}

/** The schema of a member, or of its items if it is a list. */
function memberOf({ properties = {} }: Schema, name: string): Schema {
  const member = properties[name];
  if (member === undefined) throw new Error(`there is no member ${name}`);
  return member.items ?? member;
}

function pick(schema: Schema, names: readonly string[]): Schema {
  const members = Object.entries(schema.properties ?? {}).filter(([name]) => names.includes(name));
  return { ...schema, properties: Object.fromEntries(members) };
}

function renderTypes(
  { name, input, output }: Operation,
  inputs: readonly SharedType[],
  outputs: readonly SharedType[],
): string[] {
  const title = capitalize(name);
  const inputType = {
    name: `${title}Input`,
    schema: inputSchemaOf(input),
  };
  const outputType = {
    name: `${title}Output`,
    schema: outputSchemaOf(output),
  };
  return [renderInterface(inputType, 'input', inputs), renderInterface(outputType, 'output', outputs)];
}

function renderCalls(operations: readonly Operation[]): string {
  const calls = operations.map(
    ({ name, description }) =>
      `${renderComment(firstSentence(description))}${name}(input: ${capitalize(name)}Input, options?: Options): Promise<${capitalize(name)}Output>;\n`,
  );
  return `/** One function for each REST operation, by the operation's name. \`Options\` are the options of a call. */\nexport interface Calls<Options> {\n${calls.join('')}}\n`;
}

/** The rest of a description is for models, which call tools. */
const firstSentence = (text: string): string => /^.*?[.](?= |$)/s.exec(text)?.[0] ?? text;

function sharedNames(operations: readonly Operation[]): SharedNames {
  const deposit = outputSchemaOf(named(operations, 'deposit').output);
  return { UNSIGNED, SIMULATED: decimalPaths(pick(deposit, ['simulation'])) };
}

function renderRoutes(operations: readonly Operation[], shared: SharedNames): string {
  const lists = Object.entries(shared).map(
    ([constant, names]) => `// oxfmt-ignore\nconst ${constant} = ${renderNames(names, 2)};\n`,
  );

  const routes = operations.map(({ name, effect, output }) => {
    const { method, path, token, isSecret } = REST_TABLE[name] as (typeof REST_TABLE)[string];
    const isRead = effect === 'read' && isSecret !== true;
    const schema = outputSchemaOf(output);
    const isKeyed = method === 'POST' && !isRead && isSecret !== true;
    const flags = `usesToken: ${token !== undefined}, isKeyed: ${isKeyed}, isRead: ${isRead}`;
    return `  ${name}: {
    method: '${method}', path: '${path}', ${flags},
    required: ${renderNames(requiredMembers(schema), 6, shared)},
    decimals: ${renderNames(decimalPaths(schema), 6, shared)},
  },
`;
  });
  return `${lists.join('')}\n/** The routes of all operations. */\n// oxfmt-ignore\nexport const ROUTES: Readonly<Record<keyof Calls<never>, Route>> = {\n${routes.join('')}};\n`;
}

const inputSchemaOf = (schema: z.ZodType): Schema => z.toJSONSchema(schema, { io: 'input' }) as Schema;

const outputSchemaOf = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, {
    io: 'output',
    override: ({ zodSchema, jsonSchema }) => {
      if (DECIMAL_TEXTS.has(zodSchema as unknown as z.ZodType)) jsonSchema['isDecimal'] = true;
    },
  }) as Schema;

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
