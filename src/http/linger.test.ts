import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { readBody } from './body.ts';
import { endAfterRequest } from './delivery.ts';
import { type HttpServer, startHttpServer } from './server.ts';

const REFUSAL = 'too large';
const BODY_BYTES = 4 * 1024 * 1024;

let server: HttpServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function startRefusing(): Promise<number> {
  server = await startHttpServer('127.0.0.1', 0, (request, response) => {
    readBody(request, 1_000, () => {
      response.writeHead(413, { 'content-length': REFUSAL.length, connection: 'close' });
      endAfterRequest(request, response, REFUSAL);
    });
  });
  return server.port;
}

describe('endAfterRequest', () => {
  it.each([
    ['of declared length', `Content-Length: ${BODY_BYTES}\r\n\r\n`, ''],
    ['in chunks', `Transfer-Encoding: chunked\r\n\r\n${BODY_BYTES.toString(16)}\r\n`, '\r\n0\r\n\r\n'],
  ])(
    'delivers the response to a client that writes a whole body %s before it reads',
    async (_name, framing, end) => {
      const socket = connect(await startRefusing(), '127.0.0.1');
      const failed = once(socket, 'error').then(([error]: unknown[]) => Promise.reject(error as Error));
      socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${framing}`);
      socket.write(Buffer.alloc(BODY_BYTES));
      const written = new Promise((resolve) => socket.write(end, resolve));
      let received = '';
      const closed = once(socket, 'close');
      await Promise.race([written, failed]);
      socket.on('data', (chunk) => (received += String(chunk)));
      await Promise.race([closed, failed]);
      expect(received).toMatch(/^HTTP\/1.1 413 /);
      expect(received.endsWith(REFUSAL)).toBe(true);
    },
  );

  it('gives up on a client that never stops sending', async () => {
    const socket = connect(await startRefusing(), '127.0.0.1').on('error', () => {});
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${BODY_BYTES}\r\n\r\nabc`);
    socket.resume();
    await once(socket, 'close');
  }, 4_000);
});
