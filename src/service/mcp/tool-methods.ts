import { isJsonObject, type JsonObject } from '../input/json-object.ts';
import { RPC_ERROR } from './protocol.ts';
import { ProtocolFault } from './protocol-fault.ts';
import type { Caller } from './tool.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';

/** How much of an unknown tool's name is repeated to the caller. */
const ECHOED_NAME_MAX = 128;

/**
 * Checks the params of `tools/list`: everything is on the first page, so any cursor is one that was never handed out.
 *
 * @throws ProtocolFault invalidParams.
 */
export function checkListParams({ cursor }: JsonObject): void {
  if (cursor === undefined || cursor === null) return;
  throw new ProtocolFault(RPC_ERROR.invalidParams, 'Invalid cursor: the list has one page, leave cursor out');
}

/**
 * Runs `tools/call` and resolves to the JSON text of the result, with the members of `frame` first. A tool that fails
 * still resolves, to a result with `isError`.
 *
 * @throws ProtocolFault invalidParams when the params name no tool or carry no arguments object.
 */
export function callTool(
  tools: ToolCatalogue,
  { name, arguments: args = {} }: JsonObject,
  caller: Caller,
  frame: object,
): Promise<string> {
  if (typeof name !== 'string') {
    throw new ProtocolFault(RPC_ERROR.invalidParams, 'Invalid params: name must be the name of a tool');
  }
  if (!isJsonObject(args)) {
    throw new ProtocolFault(RPC_ERROR.invalidParams, 'Invalid params: arguments must be an object');
  }
  const run = tools.find(name);
  if (run === undefined) {
    throw new ProtocolFault(RPC_ERROR.invalidParams, `Unknown tool: ${name.slice(0, ECHOED_NAME_MAX)}`);
  }
  return run(args, caller, frame);
}
