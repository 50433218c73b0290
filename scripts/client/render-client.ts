import { format } from 'oxfmt';
import { z } from 'zod';
import { ERROR_CODES } from '../../src/errors/codes.ts';
import { DECIMAL_TEXTS } from '../../src/payments/fields/fields.ts';
import type { Operation } from '../../src/payments/operation.ts';
import type { RefusalCode } from '../../src/service/refusal.ts';
import { REST_TABLE } from '../../src/service/rest/rest-table.ts';
import { createOperations } from '../../src/stack/operations.ts';
import { describedClusters } from './described-clusters.ts';
import { decimalPaths, renderComment, renderMembers, requiredMembers, type Schema } from './render-type.ts';

import formatting from '../../.oxfmtrc.json' with { type: 'json' };

/** The compiler misses a code that is added to the refusals and not here. */
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
  IDEMPOTENCY_KEY_INVALID: true,
  IDEMPOTENCY_KEY_IN_USE: true,
  IDEMPOTENCY_KEY_REUSED: true,
  RATE_LIMITED: true,
  INTERNAL_ERROR: true,
};

const HEAD = `// Written by \`npm run client\` from the schemas of the operations: change those, not this file.

/** A whole number up to 2^64 - 1: a bigint, a safe integer, or a decimal string. */
export type WholeNumber = bigint | number | string;

/** A REST operation: where it is, and what the client has to know of it. */
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
   * Paths of the decimal texts in the answer; \`*\` stands for each member of a list. After a name, \`?\`
   * says that the member may be absent, and \`|null\` that it may be null.
   */
  readonly decimals: readonly string[];
}
`;

/** The text of `src/client/generated.ts`, formatted. */
export async function renderClient(): Promise<string> {
  const operations = placedOperations();
  const text = [
    HEAD,
    renderCodes(),
    ...operations.flatMap(renderTypes),
    renderCalls(operations),
    renderRoutes(operations),
  ].join('\n');
  const { singleQuote, printWidth } = formatting;
  const { code, errors } = await format('generated.ts', text, { singleQuote, printWidth });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('; '));
  return code;
}

/** The operations that REST has, in the order of its table. */
function placedOperations(): readonly Operation[] {
  const offered = createOperations({ gaslessSponsorSecretKey: null }, describedClusters(), {
    clock: { now: () => 0 },
    random: { bytes: (count: number) => new Uint8Array(count) },
  } as never);
  return Object.keys(REST_TABLE).map((name) => {
    const operation = offered.find((each) => each.name === name);
    if (operation === undefined) throw new Error(`nobody offers ${name}`);
    return operation;
  });
}

function renderCodes(): string {
  const codes = [...Object.keys(ERROR_CODES), ...Object.keys(REFUSALS)].map((code) => `'${code}'`);
  return `/** The codes that the service fails with. */\nexport const SERVICE_CODES = [${codes.join(', ')}] as const;\n`;
}

function renderTypes({ name, input, output }: Operation): string[] {
  const title = capitalize(name);
  return [
    `/** The arguments of {@link Calls.${name}}. */\nexport interface ${title}Input ${renderMembers(inputSchemaOf(input), 'input')}\n`,
    `/** The result of {@link Calls.${name}}. */\nexport interface ${title}Output ${renderMembers(outputSchemaOf(output), 'output')}\n`,
  ];
}

function renderCalls(operations: readonly Operation[]): string {
  const calls = operations.map(
    ({ name, description }) =>
      `${renderComment(description)}${name}(input: ${capitalize(name)}Input, options?: Options): Promise<${capitalize(name)}Output>;\n`,
  );
  return `/** One function for each REST operation, by the operation's name. \`Options\` are those of a call. */\nexport interface Calls<Options> {\n${calls.join('')}}\n`;
}

function renderRoutes(operations: readonly Operation[]): string {
  const routes = operations.map(({ name, effect, output }) => {
    const { method, path, token, isSecret } = REST_TABLE[name] as (typeof REST_TABLE)[string];
    const isRead = effect === 'read' && isSecret !== true;
    const route = {
      method,
      path,
      usesToken: token !== undefined,
      isKeyed: method === 'POST' && !isRead && isSecret !== true,
      isRead,
      required: requiredMembers(outputSchemaOf(output)),
      decimals: decimalPaths(outputSchemaOf(output)),
    };
    return `export const ${routeName(name)}: Route = ${JSON.stringify(route)};\n`;
  });
  const all = operations.map(({ name }) => `${name}: ${routeName(name)},\n`);
  return `${routes.join('')}\n/** The routes of all operations. Whoever calls some of them alone imports these. */\nexport const ROUTES: Readonly<Record<keyof Calls<never>, Route>> = {\n${all.join('')}};\n`;
}

/** `getBalance` has the route `GET_BALANCE_ROUTE`. */
const routeName = (name: string): string => `${name.replace(/[A-Z]/g, '_$&').toUpperCase()}_ROUTE`;

const inputSchemaOf = (schema: z.ZodType): Schema => z.toJSONSchema(schema, { io: 'input' }) as Schema;

const outputSchemaOf = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, {
    io: 'output',
    override: ({ zodSchema, jsonSchema }) => {
      if (DECIMAL_TEXTS.has(zodSchema as unknown as z.ZodType)) jsonSchema['isDecimal'] = true;
    },
  }) as Schema;

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
