import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveLedger } from '../src/chain/testing/ledger-upstream.ts';
import { serveHttp } from '../src/chain/testing/loopback-server.ts';
import { openMainnet, TERMS } from '../src/payments/swap/testing/ledger-mainnet.ts';
import { NATIVE_MINT, USDC_DEVNET_MINT, USDC_MINT } from '../src/programs/addresses.ts';
import type { ServiceClient } from './upstreams/service-client.ts';
import { startService } from './upstreams/start-service.ts';

/** Swaps over real sockets: a service in front of a node of mainnet and of a swap upstream, and of localnet. */

type Answer = (response: ServerResponse) => void;

let scene: Awaited<ReturnType<typeof openMainnet>>;
let client: ServiceClient;
/** How the upstream answers, by path. */
const answers: Record<string, Answer> = {};
const asked: { url: string | undefined; headers: IncomingMessage['headers'] }[] = [];

const json =
  (value: unknown, status = 200): Answer =>
  (response) => {
    const headers = { 'content-type': 'application/json', 'set-cookie': 'of=upstream', 'x-upstream': 'yes' };
    response.writeHead(status, headers).end(JSON.stringify(value));
  };

beforeAll(async () => {
  scene = await openMainnet();
  const node = await serveLedger(scene.ledger);
  afterAll(() => node.close());
  const upstream = await serveHttp((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://upstream');
    asked.push({ url: request.url, headers: request.headers });
    request.resume().on('end', () => (answers[pathname] ?? json({}, 404))(response));
  });
  afterAll(() => upstream.close());
  const env = {
    CLUSTER: 'mainnet',
    BASE_RPC_URL: node.url.href,
    EPHEMERAL_RPC_URL: node.url.href,
    SWAP_UPSTREAM_URL: `${upstream.url.href}token-123456/metis/`,
  };
  ({ client } = await startService(env, afterAll));
});

const QUOTED = { inputMint: USDC_MINT, outputMint: USDC_DEVNET_MINT, amount: '1000000', slippageBps: 100 };

const headersOf = ({ headers }: { headers: Headers }): string[] =>
  [...headers.keys()].filter((name) => name === 'set-cookie' || name.startsWith('x-upstream'));

describe('swaps over HTTP', () => {
  it('go from a quote to a transaction that lands, without a header of the caller or of the upstream', async () => {
    const { user, wireOf, swapOf, tokensOf } = scene;
    answers['/token-123456/metis/quote'] = json({ ...TERMS, timeTaken: 0.012 });
    answers['/token-123456/metis/swap'] = json({ swapTransaction: wireOf(swapOf()), simulationError: null });
    const quoted = await client.rest('swapQuote', QUOTED, { cookie: 'of=caller', 'x-caller': 'yes' });
    expect([quoted.status, quoted.body]).toEqual([200, { ...TERMS, timeTaken: 0.012 }]);
    const input = { userPublicKey: user.address, quoteResponse: quoted.body };
    const built = await client.rest('swap', input);
    expect(built.body).toMatchObject({ kind: 'swap', requiredSigners: [user.address] });
    expect([...headersOf(quoted), ...headersOf(built)]).toEqual([]);
    expect(Object.keys(asked[0]?.headers ?? {}).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
    ]);
    const { err } = await scene.submit(built.body['swapTransaction'] as string, user);
    expect([err, tokensOf(user.address, USDC_MINT)]).toEqual([null, 4_000_000n]);
  });

  it.each<[string, Answer, number, string]>([
    [
      'a redirect',
      (response) => response.writeHead(307, { location: 'http://elsewhere.example' }).end(),
      502,
      'UPSTREAM_INVALID',
    ],
    ['a status of its own', json({ secret: 'token-123456' }, 418), 502, 'UPSTREAM_REJECTED'],
    [
      'a reason',
      json({ errorCode: 'NO_ROUTES_FOUND', error: 'token-123456' }, 400),
      502,
      'UPSTREAM_REJECTED',
    ],
    ['a web page', (response) => response.end('<html>'), 502, 'UPSTREAM_INVALID'],
    ['a worse price', json({ ...TERMS, otherAmountThreshold: '1' }), 502, 'UPSTREAM_INVALID'],
    ['too much', (response) => response.end('x'.repeat(60_000)), 502, 'UPSTREAM_INVALID'],
  ])('do not pass on %s', async (_what, answer, status, code) => {
    answers['/token-123456/metis/quote'] = answer;
    const refused = await client.rest('swapQuote', QUOTED);
    expect([refused.status, refused.body['code'], headersOf(refused)]).toEqual([status, code, []]);
    expect(refused.text).not.toContain('token-123456');
  });

  it('are verified by MCP, too', async () => {
    const { user, wireOf, swapOf, thief } = scene;
    const stolen = wireOf(swapOf(1_000_000n, 905_000n, thief));
    answers['/token-123456/metis/swap'] = json({ swapTransaction: stolen });
    const input = { userPublicKey: user.address, quoteResponse: TERMS, prioritizationFeeLamports: 5 };
    const { result } = await client.tool('swap', input);
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toContain('receives 0 base units');
  });

  it('use the desk on localnet, and work on no other cluster', async () => {
    const sol = { inputMint: NATIVE_MINT, outputMint: USDC_MINT, amount: '1000000000' };
    const before = asked.length;
    const { body } = await client.rest('swapQuote', { ...sol, cluster: 'localnet' });
    expect(body).toMatchObject({
      outAmount: '100000000',
      routePlan: [{ swapInfo: { label: 'localnet desk' } }],
    });
    const { result } = await client.tool('swap', {
      userPublicKey: scene.user.address,
      quoteResponse: body,
      cluster: 'localnet',
    });
    expect(result.structuredContent).toMatchObject({ kind: 'swap' });
    expect(asked).toHaveLength(before);
  });

  it('list only the usual arguments for models, and describe all of them in OpenAPI', async () => {
    const listed = await client.post('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
    const { tools } = listed.body['result'] as {
      tools: { name: string; inputSchema: { properties: object } }[];
    };
    const { inputSchema } = tools.find(({ name }) => name === 'spl.swap') ?? {};
    expect(Object.keys(inputSchema?.properties ?? {})).toEqual([
      'userPublicKey',
      'quoteResponse',
      'payer',
      'destinationTokenAccount',
      'nativeDestinationAccount',
      'cluster',
    ]);
    const { text } = await client.get('/doc');
    expect(text).toContain('priorityLevelWithMaxLamports');
  });
});
