import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorCode } from '../../errors/codes.ts';
import { failureFields } from '../../errors/failure-fields.ts';
import { findNearestName } from '../../errors/nearest-name.ts';
import { quoted } from '../../errors/quoted-text.ts';
import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import type { Operation } from '../../payments/operation.ts';
import type { SeenSlots } from '../../payments/seen-slots.ts';
import type { Logger } from '../../ports/logger.ts';
import type { ScopedTool } from '../auth/scopes.ts';
import { describeArgumentProblems } from '../input/argument-problems.ts';
import { isJsonObject, type JsonObject } from '../input/json-object.ts';
import type { ObjectSchema } from '../input/json-schema.ts';
import { lazily } from '../lazily.ts';
import type { Refusal } from '../refusal.ts';
import { payingFor, receiptMeta, type UnpaidResult, writeUnpaidResult } from '../paid/mcp-payment.ts';
import { PAYMENT_REQUIRED } from '../paid/http-payment.ts';
import { PaymentDemanded } from '../paid/till.ts';
import type { ServedOperation } from '../served-operation.ts';
import { ProtocolFault, RPC_ERROR } from './protocol.ts';

/** The approval of a payment, which a wallet gives by logging in. */
interface Approval {
  readonly wallet: string;
  readonly cluster: string;
  /** Phrase on the login page that describes the payment. */
  readonly tells: string;
}

/** The sender of a request. */
export interface McpCaller {
  /** The HTTP headers; undefined on a transport without headers, such as stdio. */
  readonly headers: IncomingHttpHeaders | undefined;
  /** The caller's bearer token for the rollup. */
  readonly token: string | undefined;
  /** The wallet that has logged in on a page for exactly this call; omitted without such a login. */
  readonly loggedIn?: string | undefined;
  /** Returns the refusal if the caller may not call a tool. */
  refusalFor(tool: ScopedTool): Refusal | undefined;
  /** Key of the client in limits; omitted on a transport with one client. */
  readonly client?: string | undefined;
  /** The slots that the caller has seen; omitted on a transport without headers. */
  readonly seen?: SeenSlots | undefined;
  /** The id of the request in the log. */
  readonly requestId: string;
  /** Sets the call to report (`ServedCall`). Omitted if calls are not reported. */
  nameCall?(call: string, args: object, door: 'mcp'): void;
  /** Sets the code of the refusal to report. */
  noteCode?(code: string): void;
  /**
   * Returns the JSON text of a result that requests a login; undefined if a login does not help. Omitted if
   * the client does not support login requests.
   *
   * @param approval the approval that a wallet must give; omitted if the tool reads its private data.
   */
  requestLogin?(tool: string, args: JsonObject, approval?: Approval): Promise<string | undefined>;
  /** Signal that aborts when the client disconnects. Omitted if disconnects cannot be detected. */
  readonly gone?: AbortSignal | undefined;
}

/** A tool in the format of `tools/list` (MCP 2025-11-25, tools, data types). */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
}

/** The result of `tools/call`: the tool's output or the reason for its failure. */
type ToolResult =
  | {
      /** Text for people. `writeToolResult` appends the JSON of the structured content. */
      readonly content: readonly JsonObject[];
      readonly structuredContent?: object;
      readonly isError?: undefined;
      readonly _meta?: JsonObject;
    }
  | {
      readonly content: readonly JsonObject[];
      readonly structuredContent?: undefined;
      readonly isError: true;
      readonly _meta?: undefined;
    };

/** One tool of the endpoint. */
export interface Tool {
  readonly definition: ToolDefinition;
  /** The effect of the tool, which determines the scope that permits it. */
  readonly effect: Operation['effect'];
  /** Whether to list the tool; false if it only explains why it is unavailable. Default: true. */
  readonly isListed?: boolean;
  /**
   * Runs the tool. A ServiceError becomes a failed result with its message; others show no details.
   *
   * @param meta `_meta` of the request; default empty.
   */
  call(args: JsonObject, caller: McpCaller, meta?: JsonObject): Promise<ToolResult>;
}

/** Creates a failed result with one text block per sentence. */
export function failedResult(sentences: readonly string[]): ToolResult {
  return { content: sentences.map(textBlock), isError: true };
}

/** Creates a text content block. */
export function textBlock(text: string): JsonObject {
  return { type: 'text', text };
}

/** Error codes that a login resolves. */
const RESOLVED_BY_LOGIN: ReadonlySet<ErrorCode> = new Set([
  'MISSING_AUTH_TOKEN',
  'AUTH_REFUSED',
  'READER_NOT_ALLOWED',
]);

type Transport = 'http' | 'stdio';

/**
 * Returns advice about an error that a login resolves, because a model cannot set headers. The advice is
 * empty for any other error.
 *
 * @param hasTestWallets whether the tools of the test wallets are available.
 */
export function adviseLogin(
  code: ErrorCode,
  transport: Transport,
  hasTestWallets: boolean,
): readonly string[] {
  if (!RESOLVED_BY_LOGIN.has(code)) return [];
  const wallets = hasTestWallets ? ['For a test wallet on localnet, call localnet.login and try again'] : [];
  return [...wallets, ADVICE[transport]];
}

const ADVICE: Readonly<Record<Transport, string>> = {
  http: 'You cannot set headers from here: ask the person who configured this server to log in with the wallet (GET /v1/spl/challenge, POST /v1/spl/login) and to add the header "Rollup-Authorization: Bearer <token>" to its configuration, or AUTH_TOKEN if it is launched as a command',
  stdio:
    'You cannot set the token from here: ask the person who configured this server to set AUTH_TOKEN or AUTH_TOKEN_FILE in its environment, with the token of a login with the wallet, and to restart it',
};

/** Thrown for a call that the caller may not make. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

/**
 * Resolves to JSON with the members of `frame` first. Rejects only with RefusedCall, or ProtocolFault for a
 * call that is not paid for, because a failure is a result.
 *
 * @param meta `_meta` of the request.
 */
type RunTool = (args: JsonObject, caller: McpCaller, frame: Frame, meta?: JsonObject) => Promise<string>;

/** Members at the start of every result. */
interface Frame {
  readonly _meta?: JsonObject;
  readonly [member: string]: unknown;
}

/** The tools of the endpoint. */
export interface ToolCatalogue {
  /** The definitions, in listing order. */
  readonly definitions: readonly ToolDefinition[];
  /** Returns the tool with that name; underscores may replace the dots. */
  find(name: string): RunTool | undefined;
}

/**
 * Indexes tools by name. `spl_deposit` also finds `spl.deposit`, for model APIs that do not allow dots.
 *
 * @throws Error if two tools would have the same name.
 */
export function createToolCatalogue(tools: readonly Tool[], logger: Logger): ToolCatalogue {
  const runByName = new Map<string, RunTool>();
  const hasTestWallets = tools.some(({ definition }) => definition.name === 'localnet.login');
  for (const tool of tools) {
    const { name } = tool.definition;
    const run: RunTool = (args, caller, frame, meta = {}) =>
      runTool(tool, args, caller, { frame, meta, logger, hasTestWallets });
    for (const spelling of new Set([name, name.replaceAll('.', '_')])) {
      if (runByName.has(spelling)) throw new Error(`two tools answer to ${spelling}`);
      runByName.set(spelling, run);
    }
  }
  return {
    definitions: tools.filter(({ isListed = true }) => isListed).map((tool) => tool.definition),
    find: (name) => runByName.get(name),
  };
}

interface RunOptions {
  readonly frame: Frame;
  readonly meta: JsonObject;
  readonly logger: Logger;
  readonly hasTestWallets: boolean;
}

async function runTool(
  tool: Tool,
  args: JsonObject,
  caller: McpCaller,
  { frame, meta, logger, hasTestWallets }: RunOptions,
): Promise<string> {
  const write = (result: ToolResult | UnpaidResult): string => writeToolResult(frame, result);
  caller.nameCall?.(tool.definition.name, args, 'mcp');
  const refusal = caller.refusalFor({ name: tool.definition.name, effect: tool.effect });
  if (refusal !== undefined) throw new RefusedCall(refusal);
  try {
    return write(await tool.call(args, caller, meta));
  } catch (error) {
    if (error instanceof PaymentDemanded) {
      caller.noteCode?.(PAYMENT_REQUIRED);
      return write(writeUnpaidResult(error.demand, meta));
    }
    if (isServiceError(error)) {
      const approval = approvalFor(error);
      if (error.code === 'MISSING_AUTH_TOKEN' || approval !== undefined) {
        const request = await caller.requestLogin?.(tool.definition.name, args, approval);
        if (request !== undefined) return request;
      }
      caller.noteCode?.(error.code);
      const transport = caller.headers === undefined ? 'stdio' : 'http';
      const advice = adviseLogin(error.code, transport, hasTestWallets);
      // Programs read the code at the end of the message.
      return write(failedResult([`${[error.message, ...advice].join('. ')} (${error.code})`]));
    }
    const { name } = tool.definition;
    const { requestId } = caller;
    caller.noteCode?.('INTERNAL_ERROR');
    logger.error({ requestId, tool: name, ...failureFields(error) }, 'a tool failed unexpectedly');
    return write(failedResult([internalErrorSentence(name, requestId)]));
  }
}

/** Returns the approval that a refused payment needs; undefined if none can help. */
function approvalFor({ code, context }: ServiceError): Approval | undefined {
  const { approver, payment } = context;
  if (code !== 'POLICY_REFUSED' || typeof approver !== 'string') return undefined;
  return { wallet: approver, cluster: 'localnet', tells: `your approval of ${String(payment)}` };
}

/**
 * Writes the JSON text of a result, with the members of `frame` first. Some hosts show a model only the
 * content, so the last text block repeats the structured content as JSON (MCP 2025-11-25, tools, structured
 * content).
 */
function writeToolResult(frame: Frame, result: ToolResult | UnpaidResult): string {
  const { structuredContent, content, _meta: meta } = result;
  if (structuredContent === undefined) return JSON.stringify({ ...frame, ...result });
  const { _meta: frameMeta } = frame;
  const more = meta && { _meta: { ...frameMeta, ...meta } };
  if (result.isError) return JSON.stringify({ ...frame, ...result, ...more });
  const structured = textBlock(JSON.stringify(structuredContent));
  return JSON.stringify({ ...frame, content: [...content, structured], structuredContent, ...more });
}

function internalErrorSentence(name: string, requestId: string): string {
  return `${name} failed unexpectedly; look up request id ${requestId} in the log of the service.`;
}

/** Number of object levels with descriptions: the result, and the objects directly in it. */
const DESCRIBED_LEVELS = 2;

/** The keywords that describe a schema and the members of an object. */
const DESCRIBING: ReadonlySet<string> = new Set([
  'description',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
]);

/**
 * Shortens a tool's result schema for the list, which takes up a model's context. Members of the result keep
 * their descriptions. Members one level deeper keep only name and type, and deeper values only their type.
 * Only keywords are removed, so every valid value stays valid.
 */
export function outlineSchema(schema: ObjectSchema): JsonObject {
  return outline(schema, 0);
}

function outline(schema: JsonObject, level: number): JsonObject {
  const kept = Object.entries(schema).filter(
    ([keyword]) => level < DESCRIBED_LEVELS || !DESCRIBING.has(keyword),
  );
  return Object.fromEntries(
    kept.map(([keyword, argument]) => [keyword, outlineArgument(keyword, argument, level)]),
  );
}

function outlineArgument(keyword: string, argument: unknown, level: number): unknown {
  if (keyword === 'items') return outline(argument as JsonObject, level);
  if (keyword === 'anyOf') return (argument as JsonObject[]).map((choice) => outline(choice, level));
  if (keyword !== 'properties') return argument;
  const members = Object.entries(argument as Record<string, JsonObject>);
  return Object.fromEntries(members.map(([name, member]) => [name, outline(member, level + 1)]));
}

/** The default namespace of operations, as in the hosted API (`spl.deposit`). */
const NAMESPACE = 'spl';

/** Operations that are not tools, because a model's transcript must not contain a token. */
const NO_TOOLS: ReadonlySet<string> = new Set(['spl.challenge', 'spl.login']);

/**
 * Annotations by effect. Building is read-only, because nothing happens until the owner signs and sends the
 * transaction. It is not idempotent, because each transaction has its own blockhash. Sending is idempotent,
 * because a ledger accepts the same signed bytes once. Every tool that reads a chain is open-world.
 */
const ANNOTATIONS = {
  build: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  send: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  local: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
} as const;

/**
 * Creates the MCP tools of operations.
 *
 * @throws Error if two tools have the same name.
 */
export function createOperationTools(operations: readonly ServedOperation[], logger: Logger): ToolCatalogue {
  const offered = operations.filter(({ operation }) => !NO_TOOLS.has(toolName(operation)));
  return createToolCatalogue(offered.map(createOperationTool), logger);
}

/** Returns the MCP tool name of an operation. */
export const toolName = ({ namespace = NAMESPACE, name }: Pick<Operation, 'namespace' | 'name'>): string =>
  `${namespace}.${name}`;

/** Creates the MCP tool of an operation. Only the OpenAPI document has the whole result schema. */
export function createOperationTool(served: ServedOperation): Tool {
  const { operation } = served;
  const shape = lazily(() => outlineSchema(served.outputSchema));
  const listed = lazily(() => listedArguments(served.inputSchema, operation.unlisted));
  return {
    isListed: operation.isListed ?? true,
    effect: operation.effect,
    definition: {
      name: toolName(operation),
      title: operation.title,
      description: operation.description,
      get inputSchema() {
        return listed();
      },
      get outputSchema() {
        return shape();
      },
      annotations: ANNOTATIONS[operation.effect],
    },
    async call(args, caller, meta = {}) {
      const checked = served.check(args);
      if (!checked.isValid) {
        caller.noteCode?.('INVALID_ARGUMENTS');
        return failedResult(describeArgumentProblems(checked.problems));
      }
      const { token, loggedIn, client, seen, gone } = caller;
      const paying = () => payingFor(toolName(operation), meta, gone);
      const { output, sentences, receipt } = await served.run(checked.value, {
        token,
        loggedIn,
        client,
        seen,
        paying,
      });
      return {
        content: sentences.map(textBlock),
        structuredContent: output,
        ...(receipt && { _meta: receiptMeta(receipt) }),
      };
    },
  };
}

function listedArguments(schema: ObjectSchema, unlisted: readonly string[] = []): ObjectSchema {
  const members = Object.entries(schema.properties).filter(([name]) => !unlisted.includes(name));
  return { ...schema, properties: Object.fromEntries(members) };
}

/** Maximum length of a quoted tool name, in UTF-16 units. */
const ECHOED_NAME_MAX = 128;

/**
 * Checks the params of `tools/list`. There is only one page, so every cursor is invalid except an empty one,
 * which some hosts always send.
 *
 * @throws ProtocolFault invalidParams.
 */
export function checkListParams({ cursor }: JsonObject): void {
  if (cursor === undefined || cursor === null || cursor === '') return;
  throw new ProtocolFault(RPC_ERROR.invalidParams, 'Invalid cursor: the list has one page, omit the cursor');
}

interface NamedTool {
  readonly name: string;
  readonly args: JsonObject;
}

/**
 * Reads the params of `tools/call`.
 *
 * @throws ProtocolFault invalidParams if they name no tool or have no arguments object.
 */
export function readCall({ name, arguments: args = {} }: JsonObject): NamedTool {
  if (typeof name !== 'string') {
    throw new ProtocolFault(RPC_ERROR.invalidParams, 'Invalid params: name must be the name of a tool');
  }
  if (!isJsonObject(args)) {
    throw new ProtocolFault(RPC_ERROR.invalidParams, 'Invalid params: arguments must be an object');
  }
  return { name, args };
}

/**
 * Runs `tools/call` and resolves to the JSON text of the result, with the members of `frame` first. A failed
 * tool resolves to a result with `isError`.
 *
 * @throws ProtocolFault invalidParams like {@link readCall}, and if the tool does not exist.
 */
export function callTool(
  tools: ToolCatalogue,
  params: JsonObject,
  caller: McpCaller,
  frame: Frame,
): Promise<string> {
  const { name, args } = readCall(params);
  const run = tools.find(name);
  if (run === undefined) {
    throw new ProtocolFault(RPC_ERROR.invalidParams, describeUnknownTool(name, tools));
  }
  const { _meta: meta } = params;
  return run(args, caller, frame, isJsonObject(meta) ? meta : {});
}

/** Writes the specification's message, with the most similar tool name. */
function describeUnknownTool(name: string, { definitions }: ToolCatalogue): string {
  const shown = quoted(name, ECHOED_NAME_MAX).slice(1, -1);
  const names = definitions.map((tool) => tool.name);
  // Models often omit the namespace.
  const nearest = findNearestName(name, names) ?? findNearestName(`spl.${name}`, names);
  const hint = nearest === undefined ? `Known tools: ${names.join(', ')}` : `Did you mean ${nearest}?`;
  return `Unknown tool: ${shown}. ${hint}`;
}
