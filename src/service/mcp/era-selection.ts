import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject } from '../input/json-object.ts';
import { META, MODERN_VERSION, RPC_ERROR, SUPPORTED_VERSIONS } from './protocol.ts';
import { ProtocolFault } from './protocol-fault.ts';

/**
 * By which rules a message is handled: the modern ones when its `_meta` names a version or its header names
 * the modern one, the legacy ones otherwise. `initialize` opens the legacy era whatever the header says,
 * which does not apply to it; `method` is undefined for messages that are not requests.
 *
 * @throws ProtocolFault with status 400 when the header names a revision that is not served (MCP 2025-11-25,
 * transports, protocol version header).
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
