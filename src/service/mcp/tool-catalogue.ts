import type { ErrorCode } from '../../errors/codes.ts';
import { failureFields } from '../../errors/failure-fields.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../ports/logger.ts';
import type { JsonObject } from '../input/json-object.ts';
import { failedResult, type McpCaller, type Tool, type ToolDefinition, type ToolResult } from './tool.ts';

/** Error codes that a login resolves. */
const RESOLVED_BY_LOGIN: ReadonlySet<ErrorCode> = new Set([
  'MISSING_AUTH_TOKEN',
  'AUTH_REFUSED',
  'READER_NOT_ALLOWED',
]);

/** The transport of the caller's messages. */
type Transport = 'http' | 'stdio';

/**
 * Returns what a model can do about an error that a login resolves, because it cannot set a header itself.
 * Empty for other errors.
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
  http: 'You cannot set headers from here: ask the person who configured this server to log in with the wallet (GET /v1/spl/challenge, POST /v1/spl/login) and to add the header "Authorization: Bearer <token>" to its configuration, or AUTH_TOKEN if it is launched as a command',
  stdio:
    'You cannot set the token from here: ask the person who configured this server to set AUTH_TOKEN or AUTH_TOKEN_FILE in its environment, with the token of a login with the wallet, and to restart it',
};

/**
 * Runs a tool and resolves to the JSON text of its result, with the members of `frame` first. Never rejects:
 * a failure of the tool is part of the result.
 */
type RunTool = (args: JsonObject, caller: McpCaller, frame: object) => Promise<string>;

/** The tools of the endpoint. */
export interface ToolCatalogue {
  /** In listing order. */
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
    const run: RunTool = (args, caller, frame) =>
      runTool(tool, args, caller, { frame, logger, hasTestWallets });
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

async function runTool(
  tool: Tool,
  args: JsonObject,
  caller: McpCaller,
  { frame, logger, hasTestWallets }: { frame: object; logger: Logger; hasTestWallets: boolean },
): Promise<string> {
  const write = (result: ToolResult): string => writeToolResult(frame, result);
  caller.nameCall?.(tool.definition.name, args, 'mcp');
  try {
    return write(await tool.call(args, caller));
  } catch (error) {
    if (isServiceError(error)) {
      const asked = error.code === 'MISSING_AUTH_TOKEN' && caller.askLogin?.(tool.definition.name, args);
      if (asked) return asked;
      caller.noteCode?.(error.code);
      const transport = caller.headers === undefined ? 'stdio' : 'http';
      const advice = adviseLogin(error.code, transport, hasTestWallets);
      // Programs look for the code at the end.
      return write(failedResult([`${[error.message, ...advice].join('. ')} (${error.code})`]));
    }
    const { name } = tool.definition;
    const { requestId } = caller;
    caller.noteCode?.('INTERNAL_ERROR');
    logger.error({ requestId, tool: name, ...failureFields(error) }, 'a tool failed unexpectedly');
    return write(failedResult([internalErrorSentence(name, requestId)]));
  }
}

/**
 * Writes the JSON text of a result, with the members of `frame` first. Hosts show a model either the content
 * or the structured content, so the last text block repeats the structured content as JSON (MCP 2025-11-25,
 * tools, structured content).
 */
function writeToolResult(frame: object, { structuredContent, ...rest }: ToolResult): string {
  const head = JSON.stringify({ ...frame, ...rest });
  if (structuredContent === undefined) return head;
  const structured = JSON.stringify(structuredContent);
  const block = `{"type":"text","text":${quoteJson(structured)}}`;
  const separator = rest.content.length === 0 ? '' : ',';
  // The content is the last member of the head, which therefore ends with `]}`.
  return `${head.slice(0, -2)}${separator}${block}],"structuredContent":${structured}}`;
}

/**
 * Writes JSON text as a JSON string. In JSON without white space only quotes and backslashes need escapes.
 */
function quoteJson(json: string): string {
  const escaped = json.includes('\\') ? json.replaceAll('\\', '\\\\') : json;
  return `"${escaped.replaceAll('"', '\\"')}"`;
}

function internalErrorSentence(name: string, requestId: string): string {
  return `${name} failed because of an error inside the service; its log has more under the request id ${requestId}.`;
}
