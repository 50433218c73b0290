import { Agent, request as startRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import type { Console } from './console.ts';

const LOOPBACK = '127.0.0.1';

/** Requests passed on at once; further ones wait for one of these to end. */
const PASSES_MAX = 256;

/**
 * Headers about the connection rather than the request (RFC 9110 section 7.6.1). Those of the body's frame
 * are among them: node:http frames it again.
 */
const HOP_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The console as a worker has it: whole requests and connections are passed to the process of the ledger,
 * which serves the console at `port` of the loopback interface. So there is one console, with one list of
 * requests and one set of limits, however many workers there are; nothing is kept here, and both sides wait
 * for whichever is slower. `Host` and `Origin` go along, and the same rules apply to them there.
 */
export function createPass(port: number): Console & { close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: PASSES_MAX });
  return {
    handler: (request, response) => passRequest(request, response, port, agent),
    upgrade: (request, socket, head) => passConnection(request, socket, head, port),
    close: () => agent.destroy(),
  };
}

function passRequest(request: IncomingMessage, response: ServerResponse, port: number, agent: Agent): void {
  const { method = 'GET', url = '/' } = request;
  const headers = keptHeaders(request.rawHeaders);
  const onward = startRequest({ host: LOOPBACK, port, agent, method, path: url, headers });
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, keptHeaders(answer.rawHeaders));
    // An end on either side, with a fault or without, ends the other.
    pipeline(answer, response, () => {});
  });
  onward.on('error', () => refuse(response));
  response.on('close', () => onward.destroy());
  request.on('error', () => onward.destroy());
  request.pipe(onward);
}

/** The process of the ledger starts again, or has gone; the worker ends with it. */
function refuse(response: ServerResponse): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' });
  response.end('the console does not answer\n');
}

function passConnection(request: IncomingMessage, socket: Duplex, head: Buffer, port: number): void {
  const onward = connect(port, LOOPBACK, () => {
    const lines = [`${request.method} ${request.url} HTTP/1.1`];
    for (let at = 0; at < request.rawHeaders.length; at += 2) {
      lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
    }
    onward.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
    socket.pipe(onward).pipe(socket);
  });
  for (const [one, other] of [
    [socket, onward],
    [onward, socket],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

function keptHeaders(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    if (!HOP_HEADERS.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
