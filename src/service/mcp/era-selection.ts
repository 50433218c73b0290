import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject } from '../input/json-object.ts';
import { META, MODERN_VERSION, RPC_ERROR, SUPPORTED_VERSIONS } from './protocol.ts';
import { ProtocolFault } from './protocol-fault.ts';

/**
 * Selects the rules for a message: modern if its `_meta` or its header names the modern version, legacy
 * otherwise. `initialize` is always legacy; the header does not apply to it. `method` is undefined for
 * messages that are not requests.
 *
 * @throws ProtocolFault with status 400 if the header names an unsupported revision (MCP 2025-11-25,
 *   transports, protocol version header).
 */
export function selectEra(
  method: string | undefined,
  params: JsonObject | undefined,
  headers: IncomingHttpHeaders | undefined,
): 'legacy' | 'modern' {
  const meta = params?.['_meta'];
  if (isJsonObject(meta) && meta[META.protocolVersion] !== undefined) return 'modern';
  const version = headers?.['mcp-protocol-version'];
  if (version === undefined || method === 'initialize') return 'legacy';
  if (version === MODERN_VERSION) return 'modern';
  if (typeof version === 'string' && SUPPORTED_VERSIONS.includes(version)) return 'legacy';
  const supported = SUPPORTED_VERSIONS.join(', ');
  throw new ProtocolFault(
    RPC_ERROR.serverError,
    `Bad Request: Unsupported protocol version (supported versions: ${supported})`,
    { status: 400, isAnonymous: true },
  );
}
