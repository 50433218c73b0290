import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MapChain } from '../../test/ports/map-chain.ts';
import { isServiceError } from '../errors/service-error.ts';
import { silentLogger } from '../ports/logger.ts';
import { systemRandom } from '../ports/random.ts';
import { SYSTEM_PROGRAM } from '../programs/addresses.ts';
import { type Clusters, createClusters } from './clusters.ts';
import {
  type ClosableChain,
  CUSTOM_CLUSTERS_MAX,
  CustomClusters,
  type ResolveAll,
} from './custom-clusters.ts';
import { clusterSettings, urls } from './testing/cluster-settings.ts';
import { HandTime } from './testing/hand-time.ts';
import { type LoopbackServer, serveHttp } from './testing/loopback-server.ts';

/** Addresses to which no caller may make the service connect. */
let sentinel: LoopbackServer;
/** A server that redirects every request to the sentinel. */
let redirector: LoopbackServer;

beforeAll(async () => {
  sentinel = await serveHttp((_, response) => response.end('caught'));
  redirector = await serveHttp((request, response) => {
    const status = Number(request.url?.slice(1)) || 307;
    response.writeHead(status, { location: sentinel.url.href }).end();
  });
});
afterAll(() => Promise.all([sentinel.close(), redirector.close()]));

const resolvingTo =
  (address: string): ResolveAll =>
  (_name, done) =>
    done(null, [{ address, family: address.includes(':') ? 6 : 4 }]);

function open(allowed: readonly string[], resolveHost: ResolveAll = resolvingTo('127.0.0.1')): Clusters {
  const time = new HandTime();
  return createClusters(clusterSettings({ clusterAllowedHosts: allowed, ephemeralRpcUrl: urls() }), {
    clock: time,
    timer: time,
    random: systemRandom,
    logger: silentLogger,
    localnet: new MapChain(),
    resolveHost,
  });
}

/** The code of the error that using the cluster named `text` ends in. */
async function useOf(clusters: Clusters, text: string): Promise<string> {
  try {
    await clusters.resolve(text).getAccounts([SYSTEM_PROGRAM]);
    return 'used';
  } catch (error) {
    if (!isServiceError(error)) throw error;
    expect(error.message + JSON.stringify(error.context)).not.toMatch(/k3y|127\.0|allowed\.example/);
    return error.code;
  }
}

/** Ways to write loopback, link-local and private hosts, and ways to hide them; PORT is the sentinel's. */
const CORPUS = [
  'http://127.0.0.1:PORT/',
  'http://127.0.0.1:PORT/?k3y',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.1:PORT/',
  'http://0x7f.0.0.0x1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://017700000001:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://127。0。0。1:PORT/',
  'http://127.000.000.001:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://[::1]:PORT/',
  'http://[::]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST:PORT/',
  'http://localhost.:PORT/',
  'http://ｌｏｃａｌｈｏｓｔ:PORT/',
  'http://foo.localhost:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fe80::1]:PORT/',
  'http://10.0.0.1:PORT/',
  'https://127.0.0.1:PORT/',
  'http:127.0.0.1:PORT',
  'http:\\\\127.0.0.1:PORT\\',
  '//127.0.0.1:PORT/',
  'http://allowed.example@127.0.0.1:PORT/',
  'https://allowed.example:k3y@127.0.0.1:PORT/',
  'https://127.0.0.1:PORT#@allowed.example/',
  'https://127.0.0.1:PORT\\@allowed.example/',
  'https://allowed.example:PORT/',
  'https://user:k3y@allowed.example/',
  'https://allowed.example.evil.example/',
  'https://allowed.example./',
  'http://allowed.example/',
  'ws://allowed.example/',
  'ftp://allowed.example/',
  'file:///etc/passwd',
  'data:text/plain,k3y',
  'javascript:alert(1)',
  `https://allowed.example/${'k3y'.repeat(200)}`,
];

describe('a cluster named by URL', () => {
  it.each(CORPUS)('is rejected without a connection: %s', async (form) => {
    const text = form.replace('PORT', String(sentinel.port));
    expect(await useOf(open([]), text)).toBe('CLUSTER_NOT_ALLOWED');
    expect(await useOf(open(['allowed.example']), text)).toBe('CLUSTER_NOT_ALLOWED');
    expect(sentinel.connections()).toBe(0);
  });

  // Other private addresses are the matter of public-lookup.test.ts: here a failure would connect to them.
  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0'])(
    'is rejected if its allowed name resolves to %s',
    async (address) => {
      const allowed = `allowed.example:${sentinel.port}`;
      const clusters = open([allowed], resolvingTo(address));
      expect(await useOf(clusters, `https://${allowed}/k3y`)).toBe('CLUSTER_NOT_ALLOWED');
      const sent = clusters.resolve(`https://${allowed}/k3y`).sendTransaction(new Uint8Array(1));
      await expect(sent).rejects.toMatchObject({ code: 'CLUSTER_NOT_ALLOWED' });
      expect(sentinel.connections()).toBe(0);
    },
  );

  it('is rejected if its allowed name resolves to this machine', async () => {
    const time = new HandTime();
    const allowed = `localhost:${sentinel.port}`;
    const clusters = createClusters(clusterSettings({ clusterAllowedHosts: [allowed] }), {
      clock: time,
      timer: time,
      random: systemRandom,
      logger: silentLogger,
      localnet: new MapChain(),
    });
    expect(await useOf(clusters, `https://${allowed}/`)).toBe('CLUSTER_NOT_ALLOWED');
    expect(sentinel.connections()).toBe(0);
  });

  it.each([301, 302, 303, 307, 308])('is not redirected by status %i', async (status) => {
    const address = `127.0.0.1:${redirector.port}`;
    expect(await useOf(open([address]), `http://${address}/${status}`)).toBe('UPSTREAM_INVALID');
    expect(sentinel.connections()).toBe(0);
  });

  it('is accepted if the operator allowed its literal address, and is called custom', async () => {
    const served = await serveHttp((request, response) => {
      request.on('data', (chunk: Buffer) => {
        const { id } = JSON.parse(chunk.toString()) as { id: number };
        response.end(JSON.stringify({ id, result: { context: { slot: 1 }, value: [null] } }));
      });
    });
    try {
      const address = `127.0.0.1:${served.port}`;
      const clusters = open([address]);
      expect(await useOf(clusters, `http://${address}/k3y`)).toBe('used');
      expect(await useOf(clusters, ` http://127.1:${served.port}/k3y#part `)).toBe('used');
      expect(clusters.resolve(`http://${address}/k3y`)).toMatchObject({
        cluster: 'custom',
        network: 'custom',
      });
      expect(clusters.names).toEqual(['localnet']);
      clusters.close();
    } finally {
      await served.close();
    }
  });
});

describe('CustomClusters', () => {
  it('reuses the chain of a URL and limits the number of open chains', () => {
    const closed: string[] = [];
    const clusters = new CustomClusters([{ hostname: 'a.example', port: null }], (url) => {
      const chain = Object.assign(new MapChain(), { close: () => closed.push(url.pathname) });
      return chain as unknown as ClosableChain;
    });
    const first = clusters.resolve('https://a.example/0');
    for (let index = 1; index < CUSTOM_CLUSTERS_MAX; index++) clusters.resolve(`https://a.example/${index}`);
    expect(clusters.resolve('https://A.example:443/0')).toBe(first);
    clusters.resolve('https://a.example/new');
    expect(closed).toEqual(['/1']);
    clusters.close();
    expect(closed).toHaveLength(CUSTOM_CLUSTERS_MAX + 1);
  });
});
