import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Handles a WebSocket handshake. Receives the connection and the bytes read after the head, and must check
 * the client and the handshake.
 */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Whether a request asks to upgrade to WebSocket, not to another protocol (RFC 6455 section 4.2.1). */
export function isWebSocketHandshake(request: IncomingMessage): boolean {
  return request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket';
}

/** Rejects a handshake and closes its connection. `headers` are whole lines (`retry-after: 1`). */
export function refuseUpgrade(
  socket: Duplex,
  status: number,
  text: string,
  headers: readonly string[] = [],
): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
    ...headers,
  ];
  // `end` alone is not enough, because the client may never close its side.
  socket.once('finish', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

const HOP_HEADERS: ReadonlySet<string> = new Set(['connection', 'upgrade', 'http2-settings']);

/**
 * Serves a request with an upgrade offer as a plain request. A server may ignore such an offer (RFC 9110
 * section 7.8), and the HTTP client of the JDK sends one (h2c) with its first request. node:http no longer
 * reads from a connection it has handed out, so this function puts the head back without the offer and emits
 * the connection again. It is not needed since Node 24.9 (`shouldUpgradeCallback`).
 */
export function passOverUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] as string;
    if (!HOP_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${request.rawHeaders[at + 1]}`);
  }
  const restored = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  socket.unshift(head.length === 0 ? restored : Buffer.concat([restored, head]));
  server.emit('connection', socket);
}
