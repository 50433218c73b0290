import { describe, expect, it } from 'vitest';
import { isServiceError, type ServiceError } from '../../errors/service-error.ts';
import { addressOf } from '../../solana/address.ts';
import type { RollupAuth } from '../chain.ts';
import { type Outcome, ScriptedTransport } from '../testing/scripted-transport.ts';
import { upstreamPorts } from '../testing/upstream-ports.ts';
import { HttpRollupAuth } from './rpc-rollup.ts';
import { Upstream } from './upstream.ts';

const OWNER = addressOf(new Uint8Array(32).fill(5));
const CHALLENGE = `Login to Query Filtering Service\nTimestamp: 1767225600\nUser: ${OWNER}`;
const PROOF = { owner: OWNER, challenge: CHALLENGE, signature: 'sig' };

function open(outcome: Outcome, url = 'https://tee.example/rpc/?key=1') {
  const transport = new ScriptedTransport(() => outcome);
  const upstream = new Upstream('the rollup', [new URL(url)], upstreamPorts(transport));
  return { auth: new HttpRollupAuth(upstream), transport };
}

const json = (value: unknown, status = 200): Outcome => ({ status, body: JSON.stringify(value) });

async function faultOf(asked: Promise<unknown>): Promise<ServiceError> {
  try {
    await asked;
  } catch (error) {
    if (isServiceError(error)) return error;
    throw error;
  }
  throw new Error('it was answered');
}

const asks: readonly (readonly [string, (auth: RollupAuth) => Promise<unknown>])[] = [
  ['challenge', (auth) => auth.challenge(OWNER)],
  ['login', (auth) => auth.login(PROOF)],
  ['authorizedUsers', (auth) => auth.authorizedUsers(OWNER, 't0ken')],
];

describe('the login service of a rollup', () => {
  it('returns a challenge', async () => {
    const { auth, transport } = open(json({ challenge: CHALLENGE }));
    expect(await auth.challenge(OWNER)).toBe(CHALLENGE);
    expect(transport.requests).toMatchObject([
      {
        method: 'GET',
        body: null,
        url: { href: `https://tee.example/rpc/auth/challenge?key=1&pubkey=${OWNER}` },
      },
    ]);
  });

  it('accepts a proof once and returns a token', async () => {
    const { auth, transport } = open(json({ token: 'jwt', expiresAt: 1_767_229_200 }));
    expect(await auth.login(PROOF)).toEqual({ token: 'jwt', expiresAt: 1_767_229_200 });
    expect(transport.requests).toMatchObject([
      {
        method: 'POST',
        mayReuseConnection: false,
        url: { href: 'https://tee.example/rpc/auth/login?key=1' },
      },
    ]);
    expect(JSON.parse(transport.requests[0]?.body ?? '')).toEqual({
      pubkey: OWNER,
      challenge: CHALLENGE,
      signature: 'sig',
    });
    expect(await open(json({ token: 'jwt' })).auth.login(PROOF)).toEqual({ token: 'jwt', expiresAt: null });
  });

  it('returns the readers of an account', async () => {
    const { auth, transport } = open(json({ authorizedUsers: [OWNER] }), 'https://tee.example');
    expect(await auth.authorizedUsers(OWNER, 't0ken')).toEqual([OWNER]);
    expect(transport.requests[0]?.url.href).toBe(
      `https://tee.example/permission?pubkey=${OWNER}&token=t0ken`,
    );
    expect(await open(json({})).auth.authorizedUsers(OWNER, 't0ken')).toBeNull();
    expect(await open(json({ authorizedUsers: [] })).auth.authorizedUsers(OWNER, 't0ken')).toEqual([]);
  });

  it.each(asks)(
    'is reported as missing if the rollup answers %s as JSON-RPC or not at all',
    async (_, ask) => {
      const plain = json({ jsonrpc: '2.0', error: { code: -32_600, message: 'invalid' }, id: null });
      for (const outcome of [plain, json({}, 404), json({}, 405), { status: 415 }]) {
        expect(await faultOf(ask(open(outcome).auth))).toMatchObject({ code: 'AUTH_UNAVAILABLE' });
      }
    },
  );

  it.each(asks)('is not reported as missing while it is down (%s)', async (_, ask) => {
    expect(await faultOf(ask(open({ fault: 'timed-out' }).auth))).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(await faultOf(ask(open({ status: 429, retryAfter: '9' }).auth))).toMatchObject({
      code: 'UPSTREAM_RATE_LIMITED',
      context: { retryAfterSeconds: 9 },
    });
    expect(await faultOf(ask(open({ body: '<html>' }).auth))).toMatchObject({ code: 'UPSTREAM_INVALID' });
    expect(await faultOf(ask(open(json({ other: 1 }, 302)).auth))).toMatchObject({
      code: 'UPSTREAM_INVALID',
    });
  });

  it.each([401, 403, 400])('rejects a proof with status %i', async (status) => {
    const fault = await faultOf(open(json({ error: 'c4n4ry' }, status)).auth.login(PROOF));
    expect(fault).toMatchObject({ code: 'AUTH_REFUSED' });
    expect(fault.message).not.toContain('c4n4ry');
    expect(await faultOf(open({ status }).auth.login(PROOF))).toMatchObject({ code: 'AUTH_REFUSED' });
  });

  it('rejects a proof and a request with an error text', async () => {
    expect(await faultOf(open(json({ error: 'no' })).auth.login(PROOF))).toMatchObject({
      code: 'AUTH_REFUSED',
    });
    expect(await faultOf(open(json({ error: 'no' })).auth.challenge(OWNER))).toMatchObject({
      code: 'UPSTREAM_REJECTED',
    });
  });

  it('returns no challenge for another wallet, and no empty token', async () => {
    const other = CHALLENGE.replace(OWNER, addressOf(new Uint8Array(32).fill(6)));
    for (const challenge of [other, '', `${CHALLENGE}${'x'.repeat(1_024)}`, 5]) {
      expect(await faultOf(open(json({ challenge })).auth.challenge(OWNER))).toMatchObject({
        code: 'UPSTREAM_INVALID',
      });
    }
    expect(await faultOf(open(json({ token: '' })).auth.login(PROOF))).toMatchObject({
      code: 'UPSTREAM_INVALID',
    });
  });
});
