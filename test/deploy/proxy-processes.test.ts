import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  findProgram,
  freePort,
  missingPrograms,
  startProgram,
} from '../../src/state/testing/server-process.ts';
import { HttpClient } from '../conformance/http-client.ts';
import { temporaryFolder } from '../folders.ts';
import { haproxyConfig } from '../replicas/proxy.ts';
import { startStack, type StackProcess, waitFor } from '../stack-process.ts';
import { playNetwork, type PlayedNetwork } from '../upstreams/played-network.ts';
import { networkVariables } from '../upstreams/start-service.ts';
import { DEPOSIT, newBlockhash } from '../upstreams/two-networks.ts';

const read = (path: string): string =>
  readFileSync(new URL(`../../deploy/proxy/${path}`, import.meta.url), 'utf8');

/** Starts a proxy with these settings in the foreground, and waits until it serves `url`. */
async function startProxy(name: string, args: readonly string[], url: string): Promise<void> {
  const proxy = startProgram(name, args);
  const ended = new Promise<void>((resolve) => proxy.once('exit', () => resolve()));
  onTestFinished(async () => {
    proxy.kill('SIGTERM');
    await ended;
  });
  await waitFor(async () => {
    expect(proxy.exitCode).toBeNull();
    return (await fetch(url).catch(() => undefined))?.ok === true;
  });
}

const missingHaproxy = missingPrograms('haproxy');

describe.skipIf(missingHaproxy !== undefined)(`haproxy (${missingHaproxy ?? 'installed'})`, () => {
  let network: PlayedNetwork;
  beforeAll(async () => {
    network = await playNetwork({ base: newBlockhash(), rollup: newBlockhash() });
    return () => network.close();
  });

  const startReplica = async (): Promise<StackProcess> => {
    const env = {
      CLUSTER: 'mainnet',
      ...networkVariables('mainnet', network),
      LEDGER_UPSTREAM_URL: network.base.url.href,
      METRICS: 'on',
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT_PER_SECOND: '0',
    };
    const replica = await startStack(await temporaryFolder(onTestFinished), { env });
    onTestFinished(() => void replica.child.kill('SIGKILL'));
    return replica;
  };

  async function startHaproxy(replicas: readonly StackProcess[]): Promise<string> {
    const port = await freePort();
    const file = join(await temporaryFolder(onTestFinished), 'haproxy.cfg');
    const hosts = replicas.map(({ serviceUrl }) => new URL(serviceUrl).host);
    writeFileSync(file, haproxyConfig(port, hosts));
    const url = `http://127.0.0.1:${port}`;
    await startProxy('haproxy', ['-db', '-f', file], `${url}/health`);
    return url;
  }

  const deposit = (url: string): Promise<number> =>
    fetch(`${url}/v1/spl/deposit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(DEPOSIT),
    }).then(
      async (response) => (await response.arrayBuffer(), response.status),
      () => 0,
    );

  const depositsOf = async ({ serviceUrl }: StackProcess): Promise<number> => {
    const metrics = await (await fetch(`${serviceUrl}/metrics`)).text();
    return Number(
      /^service_calls_total\{method="spl.deposit",outcome="ok"\} (\d+)$/m.exec(metrics)?.[1] ?? 0,
    );
  };

  it('accepts the file', () => {
    const file = new URL('../../deploy/proxy/haproxy.cfg', import.meta.url).pathname;
    const { status, stderr } = spawnSync(findProgram('haproxy') ?? '', ['-c', '-f', file], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('shares requests between the replicas, and hides the metrics', async () => {
    const replicas = await Promise.all([startReplica(), startReplica()]);
    const url = await startHaproxy(replicas);
    // On a busy machine, haproxy may not use a replica for a while.
    await waitFor(async () => {
      expect(await deposit(url)).toBe(200);
      return (await Promise.all(replicas.map(depositsOf))).every((count) => count >= 5);
    });
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'loses no request if a replica ends with %s under load',
    async (signal) => {
      const replicas = await Promise.all([startReplica(), startReplica()]);
      const url = await startHaproxy(replicas);
      const statuses: number[] = [];
      const over = new AbortController();
      const callers = Array.from({ length: 8 }, async () => {
        while (!over.signal.aborted) statuses.push(await deposit(url));
      });
      const served = (count: number): Promise<unknown> => waitFor(() => statuses.length >= count);
      await served(100);
      const [first] = replicas;
      if (signal === 'SIGKILL') process.kill(first.stackPid() ?? 0, signal);
      await first.stop(signal);
      await served(statuses.length + 200);
      over.abort();
      await Promise.all(callers);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
    },
  );
});

const missingNginx = missingPrograms('nginx');

describe.skipIf(missingNginx !== undefined)(`nginx (${missingNginx ?? 'installed'})`, () => {
  const servers: Server[] = [];
  const seen: { readonly server: number; readonly headers: IncomingHttpHeaders }[] = [];
  afterAll(() => servers.forEach((server) => server.close()));

  /** A server that records the headers of its requests. */
  const startRecorder = (at: number): Promise<number> =>
    new Promise((resolve) => {
      const server = createServer((request, response) => {
        seen.push({ server: at, headers: request.headers });
        response.end('ok');
      });
      servers.push(server);
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });

  it('starts with the file, routes by host name, names the client and hides the metrics', async () => {
    const folder = await temporaryFolder(onTestFinished);
    const [port, ...upstreams] = await Promise.all([
      freePort(),
      startRecorder(0),
      startRecorder(1),
      startRecorder(2),
    ]);
    // The certificates and the ports of the file are not on this machine.
    const http = ['8787', '8899', '7799']
      .reduce(
        (text, from, at) => text.replace(`127.0.0.1:${from}`, `127.0.0.1:${upstreams[at]}`),
        read('nginx.conf'),
      )
      .replaceAll(/^ +(?:ssl_certificate\w*|listen \[::\]).*\n/gm, '')
      .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port}`);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const file = join(folder, 'nginx.conf');
    writeFileSync(
      file,
      `pid ${folder}/nginx.pid; error_log stderr; daemon off; events {}\nhttp {\n${paths.join('\n')}\n${http}\n}\n`,
    );
    const url = `http://127.0.0.1:${port}`;
    await startProxy('nginx', ['-p', folder, '-c', file], url);
    seen.length = 0;
    const ask = async (host: string, path: string): Promise<number> => {
      const headers = { host, 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1' };
      const client = new HttpClient(port);
      onTestFinished(() => client.close());
      return (await client.ask({ method: 'GET', path, headers })).status;
    };
    for (const name of ['pay', 'rpc', 'rollup']) {
      expect(await ask(`${name}.example.com`, '/')).toBe(200);
      expect(await ask(`${name}.example.com`, '/metrics')).toBe(404);
    }
    expect(seen.map(({ server }) => server)).toEqual([0, 1, 2]);
    for (const { headers } of seen) {
      expect(headers['x-forwarded-for']).toBe('127.0.0.1');
      expect(headers.forwarded).toBeUndefined();
      expect(headers.host).toMatch(/\.example\.com$/);
    }
  });
});
