import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Server } from './processes.ts';

/** One kind of request to one server. */
export interface Target {
  readonly server: Server;
  readonly port: number;
  readonly path: string;
  /** Returns the bodies of one burst, which are sent in turn. With `once`, the burst ends after the last. */
  readonly bodies: () => readonly string[] | Promise<readonly string[]>;
  readonly once?: boolean;
  /** Returns the header lines of a request, by its number in the burst. Default: none. */
  readonly headersOf?: (at: number) => readonly string[];
  /** Returns whether a response body is the expected one. */
  readonly accepts: (body: string) => boolean;
}

/** The figures of one burst. */
export interface Burst {
  readonly perSecond: number;
  /** CPU time of the server per request, µs. */
  readonly cpuMicros: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Formats a JSON-RPC request. */
export const rpcText = (method: string, params?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) });

/** Formats an MCP `tools/call`. */
export const toolCall = (name: string, args: object): string =>
  rpcText('tools/call', { name, arguments: args });

/** Makes one JSON-RPC call. @throws {Error} for an error response. */
export async function call<T>(url: string, method: string, params: readonly unknown[] = []): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: rpcText(method, params) });
  const answer = (await response.json()) as { result?: T; error?: { message: string } };
  if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result as T;
}

/** The value below which this share of the values lies; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? sorted.at(-1) ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/**
 * Sends POST requests on keep-alive connections, one at a time on each, until the time is over.
 *
 * @throws {Error} if a response is not the expected one.
 */
export async function runBurst(target: Target, connections: number, durationMs: number): Promise<Burst> {
  const { server, port, path, accepts } = target;
  const { headersOf = () => [] } = target;
  const requests = (await target.bodies()).map((body, at) => postOf(path, body, headersOf(at)));
  const open = Array.from({ length: connections }, async () => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay(true);
    await once(socket, 'connect');
    return socket;
  });
  const sockets = await Promise.all(open);
  const latenciesMs: number[] = [];
  const startMs = performance.now();
  const startCpuMs = server.cpuMs();
  let turn = 0;
  const next = (): Buffer | undefined => {
    if (performance.now() - startMs >= durationMs) return undefined;
    return target.once === true ? requests[turn++] : requests[turn++ % requests.length];
  };
  const wrong = (await Promise.all(sockets.map((socket) => drive(socket, next, accepts, latenciesMs)))).find(
    (answer) => answer !== null,
  );
  if (wrong !== undefined) throw new Error(`an answer is not the one that was asked for: ${wrong}`);
  const seconds = (performance.now() - startMs) / 1_000;
  return {
    perSecond: latenciesMs.length / seconds,
    cpuMicros: ((server.cpuMs() - startCpuMs) * 1_000) / latenciesMs.length,
    p50Ms: median(latenciesMs),
    p99Ms: percentile(latenciesMs, 0.99),
  };
}

function postOf(path: string, body: string, headers: readonly string[]): Buffer {
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Sends requests one after the other until none is left. Resolves with the first wrong response, if any. */
function drive(
  socket: Socket,
  next: () => Buffer | undefined,
  accepts: (body: string) => boolean,
  latenciesMs: number[],
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let wrong: string | null = null;
    let received = '';
    let sentMs = 0;
    const send = (): void => {
      const request = next();
      if (request === undefined) {
        socket.destroy();
        return;
      }
      received = '';
      sentMs = performance.now();
      socket.write(request);
    };
    socket.on('error', reject).on('close', () => resolve(wrong));
    socket.on('data', (piece: string) => {
      received += piece;
      const body = bodyOf(received);
      if (body === null) return;
      latenciesMs.push(performance.now() - sentMs);
      if (!received.startsWith('HTTP/1.1 200') || !accepts(body)) wrong ??= received;
      send();
    });
    send();
  });
}

/** The body of a response; null until it is complete. The peer's SDK sends some responses in chunks. */
function bodyOf(received: string): string | null {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const body = received.slice(headEnd + 4);
  const length = /content-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1];
  const isWhole = length === undefined ? body.endsWith('0\r\n\r\n') : body.length >= Number(length);
  return isWhole ? body : null;
}
