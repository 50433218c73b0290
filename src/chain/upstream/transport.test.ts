import { afterEach, describe, expect, it } from 'vitest';
import { type LoopbackServer, serveHttp, serveTcp } from '../testing/loopback-server.ts';
import { createHttpTransport, type Transport, TransportFault, type UpstreamRequest } from './transport.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function open(): Transport {
  const transport = createHttpTransport();
  closers.push(() => transport.close());
  return transport;
}

async function kept(server: Promise<LoopbackServer>): Promise<LoopbackServer> {
  const opened = await server;
  closers.push(() => opened.close());
  return opened;
}

const post = (url: URL, changes: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  method: 'POST',
  url,
  body: '{}',
  timeoutMs: 2_000,
  answerBytesMax: 1_000,
  mayReuseConnection: true,
  ...changes,
});

async function faultOf(request: UpstreamRequest, transport = open()): Promise<string> {
  try {
    await transport.send(request);
  } catch (error) {
    if (error instanceof TransportFault) return error.kind;
    throw error;
  }
  throw new Error('it was answered');
}

describe('the HTTP transport', () => {
  describe('with a long answer', () => {
    const ANSWER = 'x'.repeat(3_000_000);
    const limits = { answerBytesMax: 4_000_000, timeoutMs: 1_500 };
    const serve = () => kept(serveHttp((_, response) => response.end(ANSWER)));

    it('continues to read after it has a slot, and restarts its time limit', async () => {
      const { url } = await serve();
      let entered = 0;
      const enter = async (): Promise<void> => {
        entered += 1;
        // Longer than the exchange may take.
        await new Promise((resolve) => setTimeout(resolve, 1_600));
      };
      const answer = await open().send(post(url, { ...limits, longAnswer: { beyond: 1_000, enter } }));
      expect([answer.body === ANSWER, entered]).toEqual([true, 1]);
    });

    it('ends with the error that rejects the slot', async () => {
      const { url } = await serve();
      const enter = () => Promise.reject(new Error('no room'));
      const asked = open().send(post(url, { ...limits, longAnswer: { beyond: 1_000, enter } }));
      await expect(asked).rejects.toThrow('no room');
    });

    it('needs no slot for a short answer', async () => {
      const { url } = await serve();
      const enter = (): never => {
        throw new Error('asked');
      };
      const beyond = ANSWER.length;
      expect((await open().send(post(url, { ...limits, longAnswer: { beyond, enter } }))).status).toBe(200);
    });
  });

  it('posts JSON and returns status, Retry-After and body', async () => {
    const server = await kept(
      serveHttp((request, response) => {
        const { method, url, headers } = request;
        request.on('data', (chunk: Buffer) => {
          const seen = [method, url, headers['content-type'], headers['authorization'], chunk.toString()];
          response.writeHead(429, { 'retry-after': '7' }).end(seen.join(' '));
        });
      }),
    );
    const url = new URL(server.url);
    url.href = `http://user:p%40ss@127.0.0.1:${server.port}/rpc?k=1`;
    expect(await open().send(post(url, { body: '{"a":"é"}' }))).toMatchObject({
      status: 429,
      retryAfter: '7',
      body: `POST /rpc?k=1 application/json Basic ${btoa('user:p@ss')} {"a":"é"}`,
    });
  });

  it('reuses connections for reads, and opens one for a request that must not be repeated', async () => {
    const closing: (string | undefined)[] = [];
    const server = await kept(
      serveHttp(({ headers }, response) => {
        closing.push(headers.connection);
        response.end('ok');
      }),
    );
    const transport = open();
    for (let round = 0; round < 9; round++) await transport.send(post(server.url));
    // One may still be coming to rest when the next read leaves.
    const keptCount = server.connections();
    expect(keptCount).toBeLessThanOrEqual(2);
    for (let round = 1; round <= 3; round++) {
      await transport.send(post(server.url, { mayReuseConnection: false }));
      expect(server.connections()).toBe(keptCount + round);
      expect(closing.at(-1)).toBe('close');
    }
  });

  it('closes an idle connection after its own limit, even if the server allows more', async () => {
    let tellClosed = (): void => {};
    const closed = new Promise<void>((resolve) => (tellClosed = resolve));
    const answer = 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=300\r\nContent-Length: 2\r\n\r\nok';
    const server = await kept(
      serveTcp((socket) => {
        socket.on('close', tellClosed).once('data', () => socket.write(answer));
      }),
    );
    const transport = createHttpTransport(undefined, 10);
    closers.push(() => transport.close());
    await transport.send(post(server.url));
    await closed;
    expect(server.connections()).toBe(1);
  });

  it('does not send a request that timed out while it waited for a connection', async () => {
    const seen: (string | undefined)[] = [];
    const server = await kept(
      serveHttp(({ url }, response) => {
        seen.push(url);
        response.end('ok');
      }),
    );
    const waiting: (() => void)[] = [];
    let isHeld = true;
    const transport = createHttpTransport((_name, { all }, done) => {
      const answer = (): void =>
        all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
      if (isHeld) waiting.push(answer);
      else answer();
    });
    closers.push(() => transport.close());
    const late = new URL(`http://rpc.example:${server.port}/late`);
    expect(await faultOf(post(late, { timeoutMs: 50 }), transport)).toBe('timed-out');
    isHeld = false;
    for (const answer of waiting) answer();
    await transport.send(post(new URL('/next', late)));
    expect(seen).toEqual(['/next']);
  });

  it('calls the resolver for each connection, and connects to the returned address', async () => {
    const server = await kept(serveHttp(({ headers }, response) => response.end(headers.host)));
    const asked: string[] = [];
    const transport = createHttpTransport((name, { all }, done) => {
      asked.push(name);
      if (all === true) done(null, [{ address: '127.0.0.1', family: 4 }]);
      else done(null, '127.0.0.1', 4);
    });
    closers.push(() => transport.close());
    const url = new URL(`http://rpc.example:${server.port}/`);
    const { body } = await transport.send(post(url, { mayReuseConnection: false }));
    await transport.send(post(url, { mayReuseConnection: false }));
    expect(body).toBe(`rpc.example:${server.port}`);
    expect(asked).toEqual(['rpc.example', 'rpc.example']);
  });

  it('does not follow a redirect', async () => {
    const target = await kept(serveHttp((_, response) => response.end('elsewhere')));
    const server = await kept(
      serveHttp((_, response) => response.writeHead(307, { location: target.url.href }).end()),
    );
    expect(await open().send(post(server.url))).toMatchObject({ status: 307, body: '' });
    expect(target.connections()).toBe(0);
  });

  it('times out on an upstream that sends nothing, and on one that never ends', async () => {
    const silent = await kept(serveTcp(() => {}));
    expect(await faultOf(post(silent.url, { timeoutMs: 50 }))).toBe('timed-out');
    const slow = await kept(
      serveHttp((_, response) => {
        const drip = setInterval(() => response.write('x'), 5);
        response.on('close', () => clearInterval(drip));
      }),
    );
    expect(await faultOf(post(slow.url, { timeoutMs: 50 }))).toBe('timed-out');
  });

  it('stops reading an answer that is too large, announced or not', async () => {
    const large = await kept(
      serveHttp((request, response) => {
        if (request.url === '/announced') response.setHeader('content-length', 1_001);
        response.end('x'.repeat(1_001));
      }),
    );
    expect(await faultOf(post(new URL('/announced', large.url)))).toBe('too-large');
    expect(await faultOf(post(large.url))).toBe('too-large');
    expect(await open().send(post(large.url, { answerBytesMax: 1_001 }))).toMatchObject({ status: 200 });
  });

  it.each([
    ['ends in the middle of the body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
    ['ends in the middle of a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal'],
    ['ends in the middle of the head', 'HTTP/1.1 200 OK\r\nContent-Len'],
    ['is not HTTP', 'SSH-2.0-server\r\n'],
    ['is empty', ''],
  ])('distinguishes an answer that %s from a complete one', async (_, text) => {
    const server = await kept(serveTcp((socket) => socket.once('data', () => socket.end(text))));
    expect(await faultOf(post(server.url))).toBe('broken-off');
  });

  it('reports an unreachable server', async () => {
    const server = await serveHttp(() => {});
    await server.close();
    expect(await faultOf(post(server.url))).toBe('unreachable');
    expect(await faultOf(post(new URL('https://127.0.0.1:1/')))).toBe('unreachable');
  });

  it('rejects a password that cannot be decoded, and leaves no timer behind', async () => {
    const url = new URL('http://user:%zz@127.0.0.1:1/');
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await expect(open().send(post(url, { timeoutMs: 60_000 }))).rejects.toThrow('URI malformed');
    expect(timers()).toBe(before);
  });

  it('passes on an error of the resolver', async () => {
    const transport = createHttpTransport((_name, _options, done) =>
      done(new TransportFault('forbidden-address'), ''),
    );
    closers.push(() => transport.close());
    const url = new URL('https://rpc.example/');
    expect(await faultOf(post(url), transport)).toBe('forbidden-address');
    expect(await faultOf(post(url, { mayReuseConnection: false }), transport)).toBe('forbidden-address');
  });
});
