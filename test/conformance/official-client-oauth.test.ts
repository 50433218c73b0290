import {
  Client,
  type ClientOptions,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../src/http/server.ts';
import type { Operation } from '../../src/payments/operation.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { AccessTokens } from '../../src/service/auth/access-tokens.ts';
import { Authorizer } from '../../src/service/auth/authorize.ts';
import { OauthIssuer } from '../../src/service/auth/testing/oauth-issuer.ts';
import { buildOperation, FIXTURE_OPERATIONS } from './fixture-operations.ts';
import { startService } from './running-service.ts';

const OWNER = '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE';

const send = { ...buildOperation, name: 'send', effect: 'send' } as Operation;

let issuer: OauthIssuer;
let server: HttpServer;

beforeEach(async () => {
  issuer = await OauthIssuer.start();
  const audiences: string[] = [];
  const tokens = new AccessTokens({ issuer: issuer.url, audiences, clock: systemClock });
  server = await startService({
    operations: [...FIXTURE_OPERATIONS, send],
    authorizer: new Authorizer({ tokens, logger: silentLogger, clock: systemClock }),
  });
  audiences.push(`${server.url}/mcp`);
});

afterEach(async () => {
  await server.close();
  await issuer.close();
});

/** A user who approves every authorization at once, in a browser that follows redirects. */
class User implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:1/callback';
  code: string | undefined;
  #verifier = '';
  readonly #stored = new Map<string, unknown>();

  get clientMetadata(): OAuthClientProvider['clientMetadata'] {
    return { redirect_uris: [this.redirectUrl], client_name: 'test', token_endpoint_auth_method: 'none' };
  }

  clientInformation = (): never => this.#stored.get('client') as never;
  saveClientInformation = (client: unknown): void => void this.#stored.set('client', client);
  tokens = (): never => this.#stored.get('tokens') as never;
  saveTokens = (tokens: OAuthTokens): void => void this.#stored.set('tokens', tokens);
  discoveryState = (): never => this.#stored.get('discovery') as never;
  saveDiscoveryState = (state: unknown): void => void this.#stored.set('discovery', state);
  saveCodeVerifier = (verifier: string): void => void (this.#verifier = verifier);
  codeVerifier = (): string => this.#verifier;

  async redirectToAuthorization(url: URL): Promise<void> {
    const response = await fetch(url, { redirect: 'manual' });
    this.code = new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? undefined;
  }
}

interface Connected {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

/** Connects, and finishes the authorization if the service asks for it. */
async function connect(user: User, options: ClientOptions): Promise<Connected> {
  const open = (): Connected => ({
    client: new Client({ name: 'test', version: '1' }, options),
    transport: new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { authProvider: user }),
  });
  const first = open();
  const error: unknown = await first.client.connect(first.transport).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnauthorizedError);
  await first.transport.finishAuth(user.code ?? '');
  const second = open();
  await second.client.connect(second.transport);
  return second;
}

describe.each<readonly [string, ClientOptions]>([
  ['legacy', {}],
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
])('the official client (%s)', (_name, options) => {
  it('discovers the issuer, gets a token for this service, and calls a tool', async () => {
    const { client } = await connect(new User(), options);
    const result = await client.callTool({ name: 'spl.build', arguments: { owner: OWNER, amount: 1 } });
    expect(result.structuredContent).toMatchObject({ kind: 'build' });
    expect(issuer.asked.slice(0, 4)).toEqual([
      '/.well-known/oauth-authorization-server',
      '/register',
      '/authorize',
      '/token',
    ]);
    expect(issuer.scopes).toEqual(['spl:read spl:build']);
    await client.close();
  });

  it('asks for the scope of a tool that its token does not permit, and then calls it', async () => {
    const user = new User();
    const { client, transport } = await connect(user, options);
    const call = { name: 'spl.send', arguments: { owner: OWNER, amount: 1 } };
    await expect(client.callTool(call)).rejects.toBeInstanceOf(UnauthorizedError);
    expect(issuer.scopes).toEqual(['spl:read spl:build', 'spl:read spl:build spl:send']);
    await transport.finishAuth(user.code ?? '');
    expect((await client.callTool(call)).structuredContent).toMatchObject({ kind: 'build' });
    await client.close();
  });
});
