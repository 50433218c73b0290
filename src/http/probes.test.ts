import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Logger, silentLogger } from '../ports/logger.ts';
import { createHostGuard } from './host-guard.ts';
import { type ProbesOptions, withProbes } from './probes.ts';
import { startHttpServer } from './server.ts';

const guard = createHostGuard({ boundHost: '127.0.0.1', allowedHosts: [], allowedOrigins: [] });

async function serve(options: Partial<ProbesOptions> = {}): Promise<string> {
  const probes = {
    guard,
    unreadiness: () => undefined,
    writeMetrics: () => 'up 1\n',
    logger: silentLogger,
    ...options,
  };
  const handler = withProbes((_, response) => response.end('served'), probes);
  const server = await startHttpServer('127.0.0.1', 0, handler);
  onTestFinished(() => server.close());
  return server.url;
}

async function ask(url: string, path: string, headers = {}, method = 'GET'): Promise<string> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(new URL(path, url), { headers, method }, resolve).on('error', reject).end();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return `${response.statusCode} ${Buffer.concat(chunks).toString()}`;
}

describe('withProbes', () => {
  it.each([
    ['/ready', 'GET', '200 ready\n'],
    ['/ready?verbose', 'GET', '200 ready\n'],
    ['/ready', 'HEAD', '200 '],
    ['/metrics', 'GET', '200 up 1\n'],
    ['/', 'GET', '200 served'],
    ['/readyz', 'GET', '200 served'],
    ['/metrics', 'POST', '200 served'],
  ])('answers %s to %s with %s', async (path, method, answer) => {
    expect(await ask(await serve(), path, {}, method)).toBe(answer);
  });

  it.each([
    ['at once', () => 'draining'],
    ['later', async () => 'draining'],
  ])('explains why it is not ready, known %s', async (_, unreadiness) => {
    expect(await ask(await serve({ unreadiness }), '/ready')).toBe('503 not ready: draining\n');
  });

  it.each(['/ready', '/metrics'])('shows pages of other origins nothing of %s', async (path) => {
    const url = await serve();
    expect(await ask(url, path, { origin: 'https://evil.example' })).toBe('403 forbidden\n');
    expect(await ask(url, path, { host: '10.0.0.5', origin: 'http://10.0.0.5' })).toBe('403 forbidden\n');
  });

  it.each(['10.0.0.5:8787', '[2001:db8::5]:8787', 'payments.svc'])(
    'reports readiness to Kubernetes, which asks %s (bug: it got 403)',
    async (host) => {
      expect(await ask(await serve(), '/ready', { host })).toBe('200 ready\n');
    },
  );

  it.each([
    ['10.0.0.5:8787', '200 up 1\n'],
    ['[2001:db8::5]:8787', '200 up 1\n'],
    ['evil.example', '403 forbidden\n'],
    ['10.0.0.5.evil.example', '403 forbidden\n'],
  ])('answers a request for metrics from %s with %j', async (host, answer) => {
    expect(await ask(await serve(), '/metrics', { host })).toBe(answer);
  });

  it('passes /metrics to the handler if there are no metrics', async () => {
    const probes = { guard, unreadiness: () => undefined, logger: silentLogger };
    const handler = withProbes((_, response) => response.writeHead(404).end('none'), probes);
    const server = await startHttpServer('127.0.0.1', 0, handler);
    onTestFinished(() => server.close());
    expect(await ask(server.url, '/metrics')).toBe('404 none');
    expect(await ask(server.url, '/ready')).toBe('200 ready\n');
  });

  it('names the format version of the metrics', async () => {
    const response = await fetch(new URL('/metrics', await serve()));
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  it.each([
    [
      'at once',
      (): never => {
        throw new Error('of a wallet');
      },
    ],
    ['later', () => Promise.reject(new Error('of a wallet'))],
  ])('answers and logs a failure %s (bug: it ended the process)', async (_, fail) => {
    const logged: object[] = [];
    const logger: Logger = { ...silentLogger, error: (fields) => logged.push(fields) };
    const url = await serve({ unreadiness: fail, writeMetrics: fail, logger });
    expect(await ask(url, '/metrics')).toBe('500 the metrics could not be written; the log says why\n');
    expect(await ask(url, '/ready')).toBe('503 not ready: the readiness check failed\n');
    expect(logged).toMatchObject([{ error: 'Error' }, { error: 'Error' }]);
    expect(JSON.stringify(logged)).not.toContain('of a wallet');
  });
});
