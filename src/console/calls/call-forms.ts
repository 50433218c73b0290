import { ROUTES } from '../../src/client/generated.ts';
import type { Entry } from './entries.ts';

/** How a call is written down for somebody to repeat it. */
export type Form = 'curl' | 'Client' | 'MCP';

const INDENT = 2;

/** An operation of the service: what its client calls it, and its place in REST. */
interface Called {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

const OPERATIONS: readonly Called[] = Object.entries(ROUTES).map(([name, { method, path }]) => ({
  name,
  method,
  path,
}));

/** The operation that a call names, as `spl.deposit` or as its place in REST. */
function operationOf(call: string): Called | undefined {
  return OPERATIONS.find(({ name, method, path }) => call === `spl.${name}` || call === `${method} ${path}`);
}

/** The forms in which a call can be repeated. */
export function formsOf({ door, call }: Entry): readonly Form[] {
  if (door === 'base' || door === 'rollup') return ['curl'];
  if (operationOf(call) !== undefined) return ['curl', 'Client', 'MCP'];
  return door === 'mcp' ? ['curl', 'MCP'] : ['curl'];
}

/**
 * A call in one of its forms. Where the service keeps no arguments they stand as placeholders, and a token never
 * stands in it.
 *
 * @param origin where the service is, as the page reached it.
 */
export function asCode(entry: Entry, form: Form, origin: string): string {
  const input = entry.arguments ?? '<arguments>';
  if (form === 'Client') return `await payments.${operationOf(entry.call)?.name}(${written(input)});`;
  if (form === 'MCP') {
    const operation = operationOf(entry.call);
    const name = operation === undefined ? entry.call : `spl.${operation.name}`;
    return JSON.stringify({ method: 'tools/call', params: { name, arguments: input } }, null, INDENT);
  }
  return curl(entry, input, origin);
}

function curl({ door, call }: Entry, input: unknown, origin: string): string {
  if (door === 'base' || door === 'rollup') {
    return post(`${origin}/console/rpc/${door}`, {
      jsonrpc: '2.0',
      id: 1,
      method: call,
      params: listed(input),
    });
  }
  if (door === 'mcp') {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: call, arguments: input } };
    return post(`${origin}/mcp`, body);
  }
  const [method = 'GET', path = '/'] = placeOf(call).split(' ');
  if (method === 'GET') return `curl -s ${quoted(`${origin}${path}?${queryOf(input)}`)}`;
  return post(`${origin}${path}`, input);
}

/** Method and path of a REST call. */
function placeOf(call: string): string {
  const operation = operationOf(call);
  return operation === undefined ? call : `${operation.method} ${operation.path}`;
}

const post = (url: string, body: unknown): string =>
  `curl -s ${quoted(url)} \\\n  -H 'content-type: application/json' \\\n  -d ${quoted(JSON.stringify(body, null, INDENT))}`;

const listed = (input: unknown): unknown => (Array.isArray(input) ? input : [input]);

function queryOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '<arguments>';
  return new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)])).toString();
}

const written = (input: unknown): string =>
  typeof input === 'string' ? input : JSON.stringify(input, null, INDENT);

/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
