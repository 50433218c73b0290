import { isJsonObject, type JsonObject } from '../input/json-object.ts';
import { encodeHeaderValue } from './header-value.ts';
import { META, MODERN_VERSION } from './protocol.ts';

/** The headers that mirror a message (MCP 2026-07-28, Streamable HTTP, request metadata). */
export function mirrorHeaders(value: unknown): Record<string, string> {
  if (!isJsonObject(value)) return {};
  const params = isJsonObject(value['params']) ? value['params'] : {};
  const version = versionOf(params);
  if (version === undefined) return {};
  const { method } = value;
  const name = params['name'];
  return {
    'mcp-protocol-version': encodeHeaderValue(version),
    ...(version === MODERN_VERSION &&
      typeof method === 'string' && { 'mcp-method': encodeHeaderValue(method) }),
    ...(version === MODERN_VERSION && typeof name === 'string' && { 'mcp-name': encodeHeaderValue(name) }),
  };
}

function versionOf(params: JsonObject): string | undefined {
  const meta = params['_meta'];
  const version = isJsonObject(meta) ? meta[META.protocolVersion] : undefined;
  return typeof version === 'string' ? version : undefined;
}
