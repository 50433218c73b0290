import type { ServerResponse } from 'node:http';

/** The correct response, which a fault replaces. */
interface Spoilt {
  /** The id of the JSON-RPC call. */
  readonly id: number;
  /** The right answer. */
  readonly answer: string;
  /** The node's own URL. */
  readonly url: URL;
}

/** Sends a wrong response, or none. */
export type Fault = (response: ServerResponse, spoilt: Spoilt) => void;

/** Never answers. */
export const hang: Fault = () => {};

/** Answers every call with a JSON-RPC error. */
export const rpcError =
  (code: number, message = 'An error'): Fault =>
  (response, { id }) =>
    void response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));

const status =
  (code: number, headers: Record<string, string> = {}): Fault =>
  (response) =>
    void response.writeHead(code, headers).end('<html>An error</html>');

const body =
  (spoil: (spoilt: Spoilt) => string): Fault =>
  (response, spoilt) =>
    void response.end(spoil(spoilt));

/** Known failures of upstreams with the expected behavior of the service. */
export const FAULTS: readonly {
  readonly fault: string;
  readonly spoil: Fault;
  readonly status: number;
  readonly code: string;
}[] = [
  {
    fault: 'hangs up',
    spoil: (response) => void response.destroy(),
    status: 502,
    code: 'UPSTREAM_UNAVAILABLE',
  },
  {
    fault: 'breaks off in the middle',
    spoil: (response, { answer }) => {
      response.writeHead(200, { 'content-length': Buffer.byteLength(answer) });
      response.write(answer.slice(0, answer.length / 2), () => response.destroy());
    },
    status: 502,
    code: 'UPSTREAM_UNAVAILABLE',
  },
  { fault: 'fails with 500', spoil: status(500), status: 502, code: 'UPSTREAM_UNAVAILABLE' },
  { fault: 'is behind', spoil: rpcError(-32_005), status: 502, code: 'UPSTREAM_UNAVAILABLE' },
  {
    fault: 'asks to slow down',
    spoil: status(429, { 'retry-after': '7' }),
    status: 503,
    code: 'UPSTREAM_RATE_LIMITED',
  },
  { fault: 'gives up with 504', spoil: status(504), status: 504, code: 'UPSTREAM_TIMEOUT' },
  { fault: 'refuses with 403', spoil: status(403), status: 502, code: 'UPSTREAM_REJECTED' },
  { fault: 'does not know the method', spoil: rpcError(-32_601), status: 502, code: 'UPSTREAM_REJECTED' },
  {
    fault: 'redirects',
    spoil: (response, { url }) => void response.writeHead(307, { location: `${url.href}elsewhere` }).end(),
    status: 502,
    code: 'UPSTREAM_INVALID',
  },
  { fault: 'answers with a page', spoil: status(200), status: 502, code: 'UPSTREAM_INVALID' },
  {
    fault: 'answers with half a JSON text',
    spoil: body(({ answer }) => answer.slice(0, -1)),
    status: 502,
    code: 'UPSTREAM_INVALID',
  },
  {
    fault: 'answers another request',
    spoil: body(({ id, answer }) => answer.replace(`"id":${id}`, `"id":${id + 1}`)),
    status: 502,
    code: 'UPSTREAM_INVALID',
  },
  {
    fault: 'answers with an error as well',
    spoil: body(({ answer }) => answer.replace(/}$/, ',"error":{"code":-32602,"message":"An error"}}')),
    status: 502,
    code: 'UPSTREAM_INVALID',
  },
  {
    fault: 'answers with two ids',
    spoil: body(({ id, answer }) => answer.replace(/^{/, `{"id":${id + 1},`)),
    status: 502,
    code: 'UPSTREAM_INVALID',
  },
  {
    fault: 'answers with a null result',
    spoil: body(({ id }) => JSON.stringify({ jsonrpc: '2.0', id, result: null })),
    status: 502,
    code: 'UPSTREAM_INVALID',
  },
  {
    fault: 'answers with a value of null',
    spoil: body(({ id }) =>
      JSON.stringify({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value: null, identity: null } }),
    ),
    status: 502,
    code: 'UPSTREAM_INVALID',
  },
  {
    fault: 'answers without end',
    spoil: body(({ answer }) => `${' '.repeat(3 * 1024 * 1024)}${answer}`),
    status: 502,
    code: 'UPSTREAM_INVALID',
  },
];
