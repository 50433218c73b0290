/** MCP 2026-07-28, Streamable HTTP, value encoding: Base64 of UTF-8 between these marks. */
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]+={0,2})\?=$/;

/**
 * Decodes the value of an MCP header that repeats a body member. Values that a plain header cannot carry are
 * encoded. A malformed encoding is returned unchanged and thus equals no body member.
 */
export function decodeHeaderValue(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value.join(', ') : value;
  const encoded = text === undefined ? undefined : ENCODED.exec(text)?.[1];
  if (encoded === undefined) return text;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString('utf8') : text;
}

/** Writes a text as an MCP header value: unchanged if it is visible ASCII, otherwise encoded. */
export function encodeHeaderValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !ENCODED.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
