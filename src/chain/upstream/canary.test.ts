import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MapChain } from '../../../test/ports/map-chain.ts';
import { readConfig } from '../../config/config.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { Logger } from '../../ports/logger.ts';
import { systemRandom } from '../../ports/random.ts';
import { addressOf } from '../../solana/address.ts';
import { type Clusters, createClusters } from '../clusters.ts';
import { HandTime } from '../testing/hand-time.ts';
import { type LoopbackServer, serveHttp, serveTcp } from '../testing/loopback-server.ts';

const CANARY = 'c4n4ry';
/** The encoded user and password, in which the canary is not visible. */
const SENT_CREDENTIALS = Buffer.from(`user-${CANARY}:pass-${CANARY}`).toString('base64').replace(/=+$/, '');
const OWNER = addressOf(new Uint8Array(32).fill(8));

/** Upstreams that fail, each in its way; those that can repeat what they were asked with. */
const FAULTS: readonly (readonly [string, () => Promise<LoopbackServer>])[] = [
  [
    'is down',
    async () => {
      const server = await serveHttp(() => {});
      await server.close();
      return { ...server, close: () => Promise.resolve() };
    },
  ],
  [
    'breaks off',
    () =>
      serveTcp((socket) =>
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{')),
      ),
  ],
  ...[302, 400, 401, 403, 404, 429, 500, 503].map(
    (status) =>
      [
        `answers ${status} with an echo`,
        () =>
          serveHttp((request, response) => {
            const echo = `${request.url} ${request.headers.authorization}`;
            response.writeHead(status, { location: `/${CANARY}`, 'retry-after': '1' }).end(echo);
          }),
      ] as const,
  ),
  ...[-32_002, -32_003, -32_005, -32_601, -32_603].map(
    (code) =>
      [
        `answers ${code} with an echo`,
        () =>
          serveHttp((request, response) => {
            const echo = `bad key in ${request.url}`;
            const data = { err: echo, logs: [echo, `Program log: ${request.headers.authorization}`] };
            response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message: echo, data } }));
          }),
      ] as const,
  ),
  [
    'returns garbage that contains the request',
    () => serveHttp((request, response) => response.end(`${request.url}`)),
  ],
];

function open(port: number, lines: string[]): Clusters {
  const keep = (fields: object, message: string): number =>
    lines.push(inspect({ ...fields, message }, { depth: 9 }));
  const logger: Logger = { debug: keep, info: keep, warn: keep, error: keep };
  const url = `http://user-${CANARY}:pass-${CANARY}@127.0.0.1:${port}/path-${CANARY}?api-key=query-${CANARY}`;
  const time = new HandTime();
  const timer = { after: (_: number, run: () => void) => (setImmediate(run), () => {}) };
  const config = readConfig({ CLUSTER: 'mainnet-private', BASE_RPC_URL: url, EPHEMERAL_TEE_RPC_URL: url });
  return createClusters(config, {
    clock: time,
    timer,
    random: systemRandom,
    logger,
    localnet: new MapChain(),
  });
}

/** Everything of an error that could be written somewhere, its causes included. */
function everythingOf(error: unknown): string {
  return [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String(error)].join('\n');
}

describe.each(FAULTS)('if an upstream %s', (_, serve) => {
  let server: LoopbackServer;
  let clusters: Clusters;
  const lines: string[] = [];

  beforeAll(async () => {
    server = await serve();
    clusters = open(server.port, lines);
  });
  afterAll(async () => {
    clusters.close();
    await server.close();
  });

  it('no answer or log line contains a part of its URL or of a token', async () => {
    const chain = clusters.resolve(undefined);
    const { rollup } = chain;
    if (rollup === null || rollup.auth === null) throw new Error('the rollup is missing');
    const token = `token-${CANARY}`;
    const asked = [
      () => chain.getAccounts([OWNER]),
      () => chain.latestBlockhash(),
      () => chain.validatorIdentity(),
      () => chain.simulateTransaction(new Uint8Array(1), []),
      () => chain.sendTransaction(new Uint8Array(1)),
      () => rollup.getAccounts([OWNER], token),
      () => rollup.sendTransaction(new Uint8Array(1), token),
      () => rollup.signatureStatus('1'.repeat(64), token),
      () => rollup.auth?.challenge(OWNER),
      () => rollup.auth?.login({ owner: OWNER, challenge: CANARY, signature: CANARY }),
      () => rollup.auth?.authorizedUsers(OWNER, token),
    ];
    const told: string[] = [];
    for (const ask of asked) {
      const error: unknown = await Promise.resolve(ask()).then(
        () => 'no error',
        (reason: unknown) => reason,
      );
      if (!isServiceError(error)) throw error;
      told.push(everythingOf(error));
    }
    expect(rollup.publicUrl).toBeNull();
    expect(told).toHaveLength(asked.length);
    expect(told.join('\n')).not.toMatch(new RegExp(`${CANARY}|:${server.port}`));
    expect(told.join('\n')).not.toContain(SENT_CREDENTIALS);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('\n')).not.toMatch(new RegExp(`${CANARY}|:${server.port}`));
    expect(lines.join('\n')).not.toContain(SENT_CREDENTIALS);
  });
});
