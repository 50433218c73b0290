import { findNearestName } from '../../errors/nearest-name.ts';
import { quoted } from '../../errors/quoted-text.ts';
import { isJsonObject, type JsonObject } from '../input/json-object.ts';
import { ProtocolFault, RPC_ERROR } from './protocol.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';
import type { McpCaller } from './tool.ts';

/** Maximum length of a quoted tool name, UTF-16 units. */
const ECHOED_NAME_MAX = 128;

/**
 * Checks the params of `tools/list`. There is one page, so any cursor is invalid. An empty cursor is
 * accepted, because some hosts send every member they know.
 *
 * @throws ProtocolFault invalidParams.
 */
export function checkListParams({ cursor }: JsonObject): void {
  if (cursor === undefined || cursor === null || cursor === '') return;
  throw new ProtocolFault(RPC_ERROR.invalidParams, 'Invalid cursor: the list has one page, leave cursor out');
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
 * @throws ProtocolFault invalidParams as {@link readCall} does, and if there is no such tool.
 */
export function callTool(
  tools: ToolCatalogue,
  params: JsonObject,
  caller: McpCaller,
  frame: object,
): Promise<string> {
  const { name, args } = readCall(params);
  const run = tools.find(name);
  if (run === undefined) {
    throw new ProtocolFault(RPC_ERROR.invalidParams, describeUnknownTool(name, tools));
  }
  return run(args, caller, frame);
}

/** The specification's message, with the most similar tool. */
function describeUnknownTool(name: string, { definitions }: ToolCatalogue): string {
  const shown = quoted(name, ECHOED_NAME_MAX).slice(1, -1);
  const nearest = findNearestName(
    name,
    definitions.map((tool) => tool.name),
  );
  return `Unknown tool: ${shown}${nearest === undefined ? '' : `. Did you mean ${nearest}?`}`;
}
