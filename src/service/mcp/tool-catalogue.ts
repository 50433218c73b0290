import { isServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../ports/logger.ts';
import { failureFields } from '../../errors/failure-fields.ts';
import type { JsonObject } from '../input/json-object.ts';
import { adviseLogin } from './login-advice.ts';
import { failedResult, type McpCaller, type Tool, type ToolDefinition, type ToolResult } from './tool.ts';

/**
 * Runs one tool and resolves to the JSON text of its result, with the members of `frame` first. A failure of
 * the tool is told in the result: it does not reject.
 */
type RunTool = (args: JsonObject, caller: McpCaller, frame: object) => Promise<string>;

/** The tools of the endpoint. */
export interface ToolCatalogue {
  /** In the order in which they are listed. */
  readonly definitions: readonly ToolDefinition[];
  /** The tool of that name, or of that name with underscores for dots. */
  find(name: string): RunTool | undefined;
}

/**
 * Collects tools under their names. Hosts whose model API takes no dots in names may call `spl.deposit` as
 * `spl_deposit`; that spelling is not listed.
 *
 * @throws Error when two tools would answer to the same name.
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
  try {
    return write(await tool.call(args, caller));
  } catch (error) {
    if (isServiceError(error)) {
      const transport = caller.headers === undefined ? 'stdio' : 'http';
      const advice = adviseLogin(error.code, transport, hasTestWallets);
      // The code stands at the end, where programs look for it.
      return write(failedResult([`${[error.message, ...advice].join('. ')} (${error.code})`]));
    }
    const { name } = tool.definition;
    const { requestId } = caller;
    logger.error({ requestId, tool: name, ...failureFields(error) }, 'a tool failed unexpectedly');
    return write(failedResult([internalErrorSentence(name, requestId)]));
  }
}

/**
 * The JSON text of a result, with the members of `frame` first. Hosts give a model either the content or the
 * structured content, so that the last text block of the content is the JSON of the structured content (MCP
 * 2025-11-25, tools, structured content). That JSON is written once, and its text put where it belongs.
 */
function writeToolResult(frame: object, { structuredContent, ...told }: ToolResult): string {
  const head = JSON.stringify({ ...frame, ...told });
  if (structuredContent === undefined) return head;
  const structured = JSON.stringify(structuredContent);
  const block = `{"type":"text","text":${quoteJson(structured)}}`;
  const separator = told.content.length === 0 ? '' : ',';
  // The content stands last in the head, which ends with its bracket and the brace of the result.
  return `${head.slice(0, -2)}${separator}${block}],"structuredContent":${structured}}`;
}

/**
 * JSON text as a JSON string: of what a string must escape, JSON without white space has quotes and
 * backslashes only.
 */
function quoteJson(json: string): string {
  const escaped = json.includes('\\') ? json.replaceAll('\\', '\\\\') : json;
  return `"${escaped.replaceAll('"', '\\"')}"`;
}

function internalErrorSentence(name: string, requestId: string): string {
  return `${name} failed because of an error inside the service; its log tells more under the request id ${requestId}.`;
}
