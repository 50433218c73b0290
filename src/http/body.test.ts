import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type BodyFault, readBody } from './body.ts';
import { type HttpServer, startHttpServer } from './server.ts';

const BYTES_MAX = 10;

interface Outcome {
  readonly body: string | undefined;
  readonly fault: BodyFault | undefined;
}

let server: HttpServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Reads one request by `readBody`; `send` gets the port and what arrives is resolved. */
async function receive(
  send: (port: number) => void,
): Promise<{ outcomes: Outcome[]; request: IncomingMessage }> {
  const outcomes: Outcome[] = [];
  return new Promise((resolve, reject) => {
    startHttpServer('127.0.0.1', 0, (request, response) => {
      readBody(request, BYTES_MAX, (body, fault) => {
        outcomes.push({ body: body?.toString(), fault });
        if (fault === 'aborted') resolve({ outcomes, request });
        else response.writeHead(200, { connection: 'close' }).end(() => resolve({ outcomes, request }));
      });
    }).then((started) => {
      server = started;
      send(started.port);
    }, reject);
  });
}

function sendBytes(...parts: readonly string[]): (port: number) => void {
  return (port) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    for (const part of parts) socket.write(part);
  };
}

const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\n';

describe('readBody', () => {
  it.each([
    ['an empty body', `${HEAD}Content-Length: 0\r\n\r\n`, ''],
    ['no body at all', `GET / HTTP/1.1\r\nHost: localhost\r\n\r\n`, ''],
    ['a body of exactly the limit', `${HEAD}Content-Length: 10\r\n\r\n0123456789`, '0123456789'],
    [
      'a chunked body',
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n`,
      'abcdefg',
    ],
  ])('reads %s', async (_name, bytes, body) => {
    const { outcomes } = await receive(sendBytes(bytes));
    expect(outcomes).toEqual([{ body, fault: undefined }]);
  });

  it.each([
    ['a declared length over the limit, unread', `${HEAD}Content-Length: 11\r\n\r\n`],
    [
      'a chunked body that grows over the limit',
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n6\r\n012345\r\n5\r\n67890\r\n`,
    ],
  ])('rejects %s', async (_name, bytes) => {
    const { outcomes } = await receive(sendBytes(bytes));
    expect(outcomes).toEqual([{ body: undefined, fault: 'too-large' }]);
  });

  it.each(['gzip', 'identity, gzip', ''])('rejects a body in the encoding "%s"', async (encoding) => {
    const { outcomes } = await receive(
      sendBytes(`${HEAD}Content-Encoding: ${encoding}\r\nContent-Length: 3\r\n\r\nabc`),
    );
    expect(outcomes).toEqual([{ body: undefined, fault: 'encoded' }]);
  });

  it('reads a body whose encoding is identity', async () => {
    const { outcomes } = await receive(
      sendBytes(`${HEAD}Content-Encoding: Identity\r\nContent-Length: 3\r\n\r\nabc`),
    );
    expect(outcomes).toEqual([{ body: 'abc', fault: undefined }]);
  });

  it('reports once that the client disconnected', async () => {
    const { outcomes } = await receive((port) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      socket.write(`${HEAD}Content-Length: 8\r\n\r\nabc`, () => socket.destroy());
    });
    expect(outcomes).toEqual([{ body: undefined, fault: 'aborted' }]);
  });
});
