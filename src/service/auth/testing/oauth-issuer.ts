import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { systemClock } from '../../../ports/clock.ts';

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

interface Grant {
  readonly scope: string;
  readonly resource: string;
  readonly challenge: string;
}

/** The claims of a token and its signature. Undefined removes a claim. */
export interface TokenTerms {
  readonly claims?: { readonly [Claim in string]?: unknown };
  readonly header?: Partial<JWTHeaderParameters>;
  /** The key to sign with. Default: the current key of the issuer. */
  readonly key?: CryptoKey;
}

/**
 * A small OAuth 2.1 authorization server on a loopback port: metadata, dynamic registration, authorization
 * codes with PKCE (which every user approves immediately), and JWT access tokens for the requested resource.
 */
export class OauthIssuer {
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #grants = new Map<string, Grant>();
  #key: KeyPair | undefined;
  #keyNumber = 0;
  /** The paths of all requests. */
  readonly asked: string[] = [];
  /** Replacements for the documents at paths, as [status, body]. */
  readonly overrides = new Map<string, readonly [number, string]>();
  /** The scopes that clients have requested. */
  readonly scopes: string[] = [];

  /** Starts an issuer with a first key. */
  static async start(): Promise<OauthIssuer> {
    const issuer = new OauthIssuer();
    await issuer.rotate();
    await new Promise<void>((resolve) => issuer.#server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Replaces the signing key. */
  async rotate(): Promise<void> {
    this.#keyNumber += 1;
    this.#key = await generateKeyPair('ES256', { extractable: true });
  }

  /** Returns the public key as JWK. */
  async publicJwk(): Promise<object> {
    if (this.#key === undefined) throw new Error('the issuer has no key');
    return {
      ...(await exportJWK(this.#key.publicKey)),
      kid: String(this.#keyNumber),
      alg: 'ES256',
      use: 'sig',
    };
  }

  /** Signs an access token. Default: for `aud`, the subject `alice`, all scopes, valid for five minutes. */
  async sign(aud: string | string[], { claims = {}, header = {}, key }: TokenTerms = {}): Promise<string> {
    const now = Math.floor(systemClock.now() / 1_000);
    const payload = {
      iss: this.url,
      sub: 'alice',
      aud,
      iat: now,
      exp: now + 300,
      scope: 'spl:read spl:build spl:send',
      ...claims,
    };
    const signing = key ?? this.#key?.privateKey;
    if (signing === undefined) throw new Error('the issuer has no key');
    return await new SignJWT(JSON.parse(JSON.stringify(payload)) as JWTPayload)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: String(this.#keyNumber), ...header })
      .sign(signing);
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url);
    this.asked.push(url.pathname);
    const override = this.overrides.get(url.pathname);
    if (override !== undefined) return void response.writeHead(override[0]).end(override[1]);
    const body = request.method === 'POST' ? await text(request) : '';
    const [status, answer] = await this.#respond(url, body);
    if (status === 302) return void response.writeHead(302, { location: String(answer) }).end();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  async #respond(url: URL, body: string): Promise<readonly [number, unknown]> {
    switch (url.pathname) {
      case '/.well-known/oauth-authorization-server':
        return [200, this.#metadata()];
      case '/jwks':
        return [200, { keys: [await this.publicJwk()] }];
      case '/register':
        return [201, { ...(JSON.parse(body) as object), client_id: 'client-1' }];
      case '/authorize':
        return this.#authorize(url.searchParams);
      case '/token':
        return await this.#redeem(new URLSearchParams(body));
      default:
        return [404, {}];
    }
  }

  #metadata(): object {
    return {
      issuer: this.url,
      jwks_uri: `${this.url}/jwks`,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      registration_endpoint: `${this.url}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    };
  }

  #authorize(query: URLSearchParams): readonly [number, unknown] {
    const [scope = '', resource = '', challenge = ''] = ['scope', 'resource', 'code_challenge'].map(
      (name) => query.get(name) ?? '',
    );
    this.scopes.push(scope);
    const code = `code-${this.#grants.size + 1}`;
    this.#grants.set(code, { scope, resource, challenge });
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    return [302, back];
  }

  async #redeem(form: URLSearchParams): Promise<readonly [number, unknown]> {
    const grant = this.#grants.get(form.get('code') ?? '');
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (grant === undefined || grant.challenge !== proof) return [400, { error: 'invalid_grant' }];
    const { scope, resource } = grant;
    const token = await this.sign(resource, { claims: { scope, client_id: 'client-1' } });
    return [200, { access_token: token, token_type: 'Bearer', expires_in: 300, scope }];
  }
}
