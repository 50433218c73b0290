import { afterEach, describe, expect, it } from 'vitest';
import { upstreamPorts } from '../../chain/testing/upstream-ports.ts';
import { HttpRollupAuth } from '../../chain/upstream/rpc-rollup.ts';
import { createHttpTransport } from '../../chain/upstream/transport.ts';
import { Upstream } from '../../chain/upstream/upstream.ts';
import { createHostGuard } from '../../http/host-guard.ts';
import { type HttpServer, startHttpServer } from '../../http/server.ts';
import { Keypair } from '../../ledger/keypair.ts';
import { HandClock } from '../../ledger/testing/hand-clock.ts';
import { LoginService } from '../../rollup/auth/login-service.ts';
import { addressOf } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { dispatcherOn } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { type HttpAnswer, sendRequest } from '../testing/send-request.ts';
import { withLogin } from './login-handler.ts';
import { createRpcHandler } from './rpc-handler.ts';

const wallet = new Keypair(new Uint8Array(32).fill(7));
const PRIVATE = addressOf(new Uint8Array(32).fill(9));
const PUBLIC = addressOf(new Uint8Array(32).fill(10));

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(): Promise<HttpServer> {
  const logins = new LoginService({
    secret: new Uint8Array(32).fill(1),
    clock: new HandClock(),
    readersOf: (account) => (account === PRIVATE ? [wallet.address] : null),
  });
  const guard = createHostGuard({ boundHost: '127.0.0.1', allowedHosts: [], allowedOrigins: [] });
  const rpc = createRpcHandler({ dispatch: dispatcherOn(new FixedLedger()), guard });
  const server = await startHttpServer('127.0.0.1', 0, withLogin(rpc, { logins, guard }));
  closing.push(() => server.close());
  return server;
}

const get = async (path: string, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
  sendRequest((await serve()).url, { method: 'GET', path, headers });

const sign = (challenge: string, key = wallet) => encodeBase58(key.sign(Buffer.from(challenge)));

async function logIn(url: string): Promise<{ token: string; expiresAt: number }> {
  const path = `/auth/challenge?pubkey=${wallet.address}`;
  const { challenge } = JSON.parse((await sendRequest(url, { method: 'GET', path, headers: {} })).body);
  const body = JSON.stringify({ pubkey: wallet.address, challenge, signature: sign(challenge) });
  return JSON.parse((await sendRequest(url, { path: '/auth/login', body })).body);
}

describe('the login service, called by this project’s client', () => {
  async function connect() {
    const { url } = await serve();
    const transport = createHttpTransport();
    closing.unshift(() => transport.close());
    return new HttpRollupAuth(new Upstream('the rollup', [new URL(url)], upstreamPorts(transport)));
  }

  it('returns a token to a wallet that signs its challenge', async () => {
    const auth = await connect();
    const challenge = await auth.challenge(wallet.address);
    expect(challenge.split('\n')).toEqual([
      'Login to Query Filtering Service',
      expect.stringMatching(/^Timestamp: \d{10}$/),
      `User: ${wallet.address}`,
    ]);
    const { token, expiresAt } = await auth.login({
      owner: wallet.address,
      challenge,
      signature: sign(challenge),
    });
    expect(expiresAt).toBeGreaterThan(1_767_225_600_000);
    expect(await auth.authorizedUsers(PRIVATE, token)).toEqual([wallet.address]);
    expect(await auth.authorizedUsers(PUBLIC, token)).toBeNull();
  });

  it('rejects a reused proof, one of another key, and a forged token', async () => {
    const auth = await connect();
    const challenge = await auth.challenge(wallet.address);
    const stranger = new Keypair(new Uint8Array(32).fill(8));
    const proof = { owner: wallet.address, challenge, signature: sign(challenge) };
    const refused = { code: 'AUTH_REFUSED' };
    await expect(auth.login({ ...proof, signature: sign(challenge, stranger) })).rejects.toMatchObject(
      refused,
    );
    await auth.login(proof);
    await expect(auth.login(proof)).rejects.toMatchObject(refused);
    await expect(auth.authorizedUsers(PRIVATE, 'a.b.c')).rejects.toMatchObject({ code: 'UPSTREAM_REJECTED' });
  });
});

describe('GET /auth/challenge', () => {
  it('is answered with JSON that must not be cached', async () => {
    const { status, headers, body } = await get(`/auth/challenge?pubkey=${wallet.address}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(Object.keys(JSON.parse(body))).toEqual(['challenge']);
  });

  it.each([
    '/auth/challenge',
    '/auth/challenge?pubkey=',
    '/auth/challenge?pubkey=me',
    '/auth/challenge?token=x',
  ])('%s is rejected with a reason', async (path) => {
    expect(await get(path)).toMatchObject({
      status: 400,
      body: '{"error":"pubkey must be the base58 address of a wallet"}\n',
    });
  });
});

describe('POST /auth/login', () => {
  it.each([
    ['', /must be a JSON object/],
    ['[]', /must be a JSON object/],
    ['null', /must be a JSON object/],
    ['{"pubkey":1,"challenge":"","signature":""}', /must be a JSON object/],
    ['{"pubkey":"me","challenge":"","signature":""}', /pubkey must be/],
  ])('with the body %s is rejected with a reason', async (body, error) => {
    const answer = await sendRequest((await serve()).url, { path: '/auth/login', body });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toEqual({ error: expect.stringMatching(error) });
  });

  it('with the challenge of another wallet is rejected with a reason', async () => {
    const challenge = `Login to Query Filtering Service\nTimestamp: 1767225606\nUser: ${PUBLIC}`;
    const body = JSON.stringify({ pubkey: wallet.address, challenge, signature: sign(challenge) });
    expect(await sendRequest((await serve()).url, { path: '/auth/login', body })).toMatchObject({
      status: 401,
      body: '{"error":"the challenge is for another wallet"}\n',
    });
  });

  it('accepts no compressed bodies', async () => {
    const { url } = await serve();
    const headers = { 'content-encoding': 'gzip' };
    expect(await sendRequest(url, { path: '/auth/login', headers, body: '{}' })).toMatchObject({
      status: 415,
      body: '{"error":"send the body uncompressed, without Content-Encoding"}\n',
    });
  });

  it('accepts no long bodies', async () => {
    const { url } = await serve();
    const answer = await sendRequest(url, { path: '/auth/login', body: ' '.repeat(4_097) });
    expect(answer.status).toBe(413);
  });
});

describe('GET /permission', () => {
  it('shows everyone who may read an account, as the base ledger does', async () => {
    const { url } = await serve();
    const { token } = await logIn(url);
    const ask = (path: string) => sendRequest(url, { method: 'GET', path, headers: {} });
    const named = { status: 200, body: `{"authorizedUsers":["${wallet.address}"]}\n` };
    expect(await ask(`/permission?pubkey=${PRIVATE}`)).toMatchObject(named);
    expect(await ask(`/permission?token=${token}&pubkey=${PRIVATE}`)).toMatchObject(named);
    expect(await ask(`/permission?pubkey=${PUBLIC}`)).toMatchObject({ status: 200, body: '{}\n' });
    expect(await ask('/permission?pubkey=x')).toMatchObject({ status: 400 });
  });

  it('rejects an invalid token', async () => {
    const answer = await get(`/permission?token=x&pubkey=${PUBLIC}`);
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.body)).toEqual({ error: expect.stringContaining('log in again') });
  });
});

describe('around the login service', () => {
  it.each([
    ['POST', '/auth/challenge', 'use GET'],
    ['GET', '/auth/login', 'use POST'],
    ['DELETE', '/permission', 'use GET'],
  ])('%s %s is not allowed', async (method, path, error) => {
    const answer = await sendRequest((await serve()).url, { method, path, headers: {} });
    expect(answer).toMatchObject({ status: 405, body: `{"error":"${error}"}\n` });
  });

  it('any page may log in, after a preflight, except one without an origin; no foreign host', async () => {
    const { url } = await serve();
    const origin = 'https://example.com';
    const ask = (method: string, headers: Record<string, string>) =>
      sendRequest(url, { method, path: `/auth/challenge?pubkey=${PUBLIC}`, headers });
    const preflight = await ask('OPTIONS', { origin, 'access-control-request-headers': 'authorization' });
    expect(preflight).toMatchObject({
      status: 200,
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, OPTIONS, POST',
        'access-control-allow-headers': 'authorization',
      },
    });
    expect((await ask('GET', { origin })).headers['access-control-allow-origin']).toBe(origin);
    expect((await ask('GET', { origin: 'null' })).status).toBe(403);
    expect((await ask('GET', { host: 'evil.example' })).status).toBe(403);
  });

  it('passes everything else to the node', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"getSlot"}';
    const { url } = await serve();
    for (const path of ['/', '/auth', '/auth/login/', '/permissions']) {
      expect((await sendRequest(url, { path, body })).body).toContain('"result":4710');
    }
    expect((await get('/health')).body).toBe('ok');
  });
});
