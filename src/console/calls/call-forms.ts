import { REST_TABLE } from '../../service/rest/rest-table.ts';
import type { CallForm, LoggedCall } from '../answers.ts';
import { type ApiRoute, createReadRoute } from '../api-route.ts';
import type { CallLog } from './call-log.ts';

const INDENT = 2;

/** An operation: its name in the client, and its REST method and path. */
interface Called {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

const OPERATIONS: readonly Called[] = Object.entries(REST_TABLE).map(([name, { method, path }]) => ({
  name,
  method,
  path,
}));

/** Finds the operation of a call, which is `spl.deposit` or a REST method and path. */
function operationOf(call: string): Called | undefined {
  return OPERATIONS.find(({ name, method, path }) => call === `spl.${name}` || call === `${method} ${path}`);
}

/**
 * Writes a call in each form that can repeat it. Arguments that the service does not store become
 * placeholders. Tokens are never included.
 *
 * @param origin the service's origin as seen by the page.
 */
export function formsOf(logged: LoggedCall, origin: string): readonly CallForm[] {
  const { door, call, arguments: input = '<arguments>' } = logged;
  const forms = [{ name: 'curl', text: curl(logged, input, origin) }];
  if (door === 'base' || door === 'rollup') return forms;
  const operation = operationOf(call);
  if (operation !== undefined) {
    forms.push({ name: 'Client', text: `await payments.${operation.name}(${written(input)});` });
  }
  if (operation !== undefined || door === 'mcp') {
    const name = operation === undefined ? call : `spl.${operation.name}`;
    const body = { method: 'tools/call', params: { name, arguments: input } };
    forms.push({ name: 'MCP', text: JSON.stringify(body, null, INDENT) });
  }
  return forms;
}

function curl({ door, call }: LoggedCall, input: unknown, origin: string): string {
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

function placeOf(call: string): string {
  const operation = operationOf(call);
  return operation === undefined ? call : `${operation.method} ${operation.path}`;
}

const post = (url: string, body: unknown): string =>
  `curl -s ${quoted(url)} \\\n  -H 'content-type: application/json' \\\n  -d ${quoted(JSON.stringify(body, null, INDENT))}`;

const listed = (input: unknown): unknown => (Array.isArray(input) ? input : [input]);

function queryOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '<arguments>';
  const fields = Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(fields).toString();
}

const written = (input: unknown): string =>
  typeof input === 'string' ? input : JSON.stringify(input, null, INDENT);

/** Quotes a text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Creates the route `GET /console/api/forms?seq=&origin=`, which shows how to repeat a call. The list is
 * empty for a dropped call.
 */
export function createFormsRoute(log: CallLog): ApiRoute {
  return createReadRoute('/console/api/forms', (query): readonly CallForm[] => {
    const call = log.find(Number(query.get('seq')));
    return call === undefined ? [] : formsOf(call, query.get('origin') ?? '');
  });
}
