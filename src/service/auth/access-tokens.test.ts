import { createHmac } from 'node:crypto';
import { exportJWK, exportSPKI, generateKeyPair, importJWK, type CryptoKey } from 'jose';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AccessTokens } from './access-tokens.ts';
import { InvalidCredentials } from './caller.ts';
import { IssuerUnavailable } from './issuer.ts';
import { OauthIssuer } from './testing/oauth-issuer.ts';

const AUDIENCE = 'https://pay.example.com';

let issuer: OauthIssuer;
let steady: number;
let tokens: AccessTokens;

beforeEach(async () => {
  issuer = await OauthIssuer.start();
  steady = 0;
  tokens = open();
});

afterEach(() => issuer.close());

function open(given: Partial<ConstructorParameters<typeof AccessTokens>[0]> = {}): AccessTokens {
  const clock = { now: () => Date.now(), steady: () => steady };
  return new AccessTokens({ issuer: issuer.url, audiences: [AUDIENCE, `${AUDIENCE}/mcp`], clock, ...given });
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const claims = (): object => {
  const now = Math.floor(Date.now() / 1_000);
  return { iss: issuer.url, aud: AUDIENCE, sub: 'mallory', exp: now + 300, scope: 'spl:send' };
};

/** Expects that a token is refused, and returns the reason. */
async function reasonFor(token: string): Promise<string> {
  const error: unknown = await tokens.verify(token).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidCredentials);
  return (error as Error).message;
}

describe('a valid access token', () => {
  it('names the caller and its scopes', async () => {
    const caller = await tokens.verify(await issuer.sign(AUDIENCE));
    expect(caller).toEqual({
      client: 'oauth alice',
      scopes: new Set(['spl:read', 'spl:build', 'spl:send']),
    });
  });

  it.each([
    ['one of several audiences', { claims: { aud: ['https://other.example', `${AUDIENCE}/mcp`] } }],
    ['the type of a plain JWT', { header: { typ: 'JWT' } }],
    ['the full media type of an access token', { header: { typ: 'application/at+jwt' } }],
    ['no type', { header: { typ: undefined as never } }],
  ])('may have %s', async (_name, terms) => {
    await expect(tokens.verify(await issuer.sign(AUDIENCE, terms))).resolves.toMatchObject({
      client: 'oauth alice',
    });
  });

  it.each([
    ['scope', { scope: 'spl:read  spl:build' }],
    ['scp as a text', { scope: undefined, scp: 'spl:read spl:build' }],
    ['scp as a list', { scope: undefined, scp: ['spl:read', 'spl:build', 7] }],
  ])('lists its scopes in %s', async (_name, given) => {
    const { scopes } = await tokens.verify(await issuer.sign(AUDIENCE, { claims: given }));
    expect([...scopes]).toEqual(['spl:read', 'spl:build']);
  });

  it('without scopes permits nothing', async () => {
    const { scopes } = await tokens.verify(await issuer.sign(AUDIENCE, { claims: { scope: undefined } }));
    expect(scopes.size).toBe(0);
  });
});

describe('an access token is refused', () => {
  it.each([
    [
      'for another audience',
      { aud: 'https://other.example' },
      'The access token was issued for another service',
    ],
    [
      'for a longer audience',
      { aud: `${AUDIENCE}.evil.example` },
      'The access token was issued for another service',
    ],
    ['without an audience', { aud: undefined }, 'The access token was issued for another service'],
    ['from another issuer', { iss: 'https://evil.example' }, 'The access token is from another issuer'],
    ['after its end', { exp: 1_000 }, 'The access token has expired'],
    ['without an end', { exp: undefined }, 'The access token is not valid'],
    ['before its start', { nbf: 9_999_999_999 }, 'The access token is not valid'],
    ['without a subject', { sub: undefined }, 'The access token is not valid'],
  ])('%s', async (_name, given, reason) => {
    const token = await issuer.sign(AUDIENCE, { claims: given });
    expect(await reasonFor(token)).toBe(reason);
  });

  it('of another type, such as an ID token for logout', async () => {
    const token = await issuer.sign(AUDIENCE, { header: { typ: 'logout+jwt' } });
    expect(await reasonFor(token)).toBe('The token is not an access token');
  });

  it('without a signature', async () => {
    const [head, payload] = (await issuer.sign(AUDIENCE)).split('.');
    for (const token of [`${head}.${payload}.`, `${head}.${payload}`, 'opaque'])
      expect(await reasonFor(token)).toBe('The access token is not valid');
  });

  it.each(['none', 'None', 'NONE'])('with alg: %s', async (alg) => {
    const token = `${encode({ alg, typ: 'at+jwt', kid: '1' })}.${encode(claims())}.`;
    expect(await reasonFor(token)).toBe('The access token is not valid');
  });

  it('with an HMAC whose secret is the public key (algorithm confusion)', async () => {
    const jwk = await issuer.publicJwk();
    const publicKey = (await importJWK({ ...jwk, ext: true }, 'ES256', { extractable: true })) as CryptoKey;
    for (const secret of [await exportSPKI(publicKey), JSON.stringify(jwk)]) {
      const signed = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: '1' })}.${encode(claims())}`;
      const token = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
      expect(await reasonFor(token)).toBe('The access token is not valid');
    }
  });

  it('with a key that the token itself contains or points to', async () => {
    const own = await generateKeyPair('ES256', { extractable: true });
    const header = { jwk: await exportJWK(own.publicKey), jku: 'http://evil.example/jwks' };
    const token = await issuer.sign(AUDIENCE, { key: own.privateKey, header });
    expect(await reasonFor(token)).toBe('The access token is not valid');
    expect(new Set(issuer.asked)).toEqual(new Set(['/.well-known/oauth-authorization-server', '/jwks']));
  });

  it('with a changed payload', async () => {
    const [head, , signature] = (await issuer.sign(AUDIENCE)).split('.');
    expect(await reasonFor(`${head}.${encode(claims())}.${signature}`)).toBe('The access token is not valid');
  });

  it('with a critical extension that is not known', async () => {
    const [, payload, signature] = (await issuer.sign(AUDIENCE)).split('.');
    const head = encode({ alg: 'ES256', kid: '1', crit: ['other'], other: 1 });
    expect(await reasonFor(`${head}.${payload}.${signature}`)).toBe('The access token is not valid');
  });
});

describe('the keys of the issuer', () => {
  it('are read once for many tokens', async () => {
    const token = await issuer.sign(AUDIENCE);
    await Promise.all(Array.from({ length: 20 }, () => tokens.verify(token)));
    expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server', '/jwks']);
  });

  it('are read again for a new key, and the old one is then refused', async () => {
    const old = await issuer.sign(AUDIENCE);
    await tokens.verify(old);
    await issuer.rotate();
    const token = await issuer.sign(AUDIENCE);
    // Within 30 s of the last read, unknown keys cause no request.
    expect(await reasonFor(token)).toBe('The access token is not valid');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    onTestFinished(() => void vi.useRealTimers());
    await expect(tokens.verify(token)).resolves.toMatchObject({ client: 'oauth alice' });
    expect(await reasonFor(old)).toBe('The access token is not valid');
  });

  it('are found through OpenID Connect Discovery too, also below a path', async () => {
    const url = `${issuer.url}/realms/pay`;
    issuer.overrides.set('/.well-known/oauth-authorization-server/realms/pay', [404, '{}']);
    const metadata = { issuer: url, jwks_uri: `${issuer.url}/jwks` };
    issuer.overrides.set('/realms/pay/.well-known/openid-configuration', [200, JSON.stringify(metadata)]);
    const token = await issuer.sign(AUDIENCE, { claims: { iss: url } });
    await expect(open({ issuer: url }).verify(token)).resolves.toMatchObject({ client: 'oauth alice' });
  });

  it.each([
    ['its metadata names another issuer', { issuer: 'https://evil.example', jwks_uri: '/jwks' }],
    ['its keys are on another origin', { jwks_uri: 'http://127.0.0.1:1/jwks' }],
    ['its keys have no URL', {}],
    ['its metadata is no object', null],
    ['its metadata is too large', { padding: 'x'.repeat(300_000) }],
  ])('cannot be used if %s', async (_name, metadata) => {
    const text = JSON.stringify(metadata && { issuer: issuer.url, ...metadata });
    issuer.overrides.set('/.well-known/oauth-authorization-server', [200, text]);
    await expect(tokens.verify(await issuer.sign(AUDIENCE))).rejects.toBeInstanceOf(IssuerUnavailable);
  });

  it('cannot be used if they are no key set', async () => {
    issuer.overrides.set('/jwks', [200, '{"keys":7}']);
    const error: unknown = await tokens
      .verify(await issuer.sign(AUDIENCE))
      .catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(InvalidCredentials);
  });

  it('are not requested again for a second after a failure, and then found', async () => {
    issuer.overrides.set('/jwks', [500, '']);
    const token = await issuer.sign(AUDIENCE);
    await expect(tokens.verify(token)).rejects.toThrow('HTTP 500');
    issuer.overrides.clear();
    const asked = issuer.asked.length;
    await expect(tokens.verify(token)).rejects.toThrow('the last request failed');
    expect(issuer.asked.length).toBe(asked);
    steady += 1_000;
    await expect(tokens.verify(token)).resolves.toMatchObject({ client: 'oauth alice' });
  });

  it('are not read through a redirect', async () => {
    const fetch: typeof globalThis.fetch = (url, init) => {
      expect(init).toMatchObject({ redirect: 'error' });
      return globalThis.fetch(url, init);
    };
    await open({ fetch }).verify(await issuer.sign(AUDIENCE));
  });
});
