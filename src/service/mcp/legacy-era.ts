import { lazily } from '../lazily.ts';
import { SERVER_INFO } from '../server-info.ts';
import type { Era, Method } from './era.ts';
import { INSTRUCTIONS } from './instructions.ts';
import type { JsonObject } from '../input/json-object.ts';
import { LATEST_LEGACY_VERSION, LEGACY_VERSIONS, RPC_ERROR } from './protocol.ts';
import { ProtocolFault } from './protocol-fault.ts';
import type { ToolCatalogue } from './tool-catalogue.ts';
import { callTool, checkListParams } from './tool-methods.ts';

/**
 * The revisions that start with `initialize`, up to MCP 2025-11-25. There is no session state: each request
 * may come without the handshake. Constant answers are written once, here.
 */
export function createLegacyEra(tools: ToolCatalogue): Era {
  const listResult = lazily(() => JSON.stringify({ tools: tools.definitions }));
  return {
    methods: new Map<string, Method>([
      ['initialize', createInitialize()],
      ['ping', () => '{}'],
      [
        'tools/list',
        (params) => {
          checkListParams(params);
          return listResult();
        },
      ],
      ['tools/call', (params, caller) => callTool(tools, params, caller, {})],
    ]),
    unknownMethodStatus: 200,
  };
}

function createInitialize(): Method {
  const results = new Map<string, string>(
    LEGACY_VERSIONS.map((version) => [version, JSON.stringify(initializeResult(version))]),
  );
  const latest = JSON.stringify(initializeResult(LATEST_LEGACY_VERSION));
  return ({ protocolVersion }) => {
    if (typeof protocolVersion === 'string') return results.get(protocolVersion) ?? latest;
    throw new ProtocolFault(
      RPC_ERROR.invalidParams,
      `Invalid params: protocolVersion must be a string such as ${LATEST_LEGACY_VERSION}`,
    );
  };
}

function initializeResult(protocolVersion: string): JsonObject {
  return {
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: SERVER_INFO,
    instructions: INSTRUCTIONS,
  };
}
