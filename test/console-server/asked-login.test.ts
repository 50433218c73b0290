import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PATIENCE } from '../../src/ports/testing/patience.ts';
import { USDC_MINT } from '../../src/programs/addresses.ts';
import { RequestedLogins } from '../../src/service/mcp/logins/requested-logins.ts';
import { signText } from '../client/sign-text.ts';
import { createPayingWorld, type PayingWorld } from '../console/paying-world.ts';
import { startConsole } from './running-console.ts';

type Members = Readonly<Record<string, unknown>>;

/** The remaining balance of the payer, in base units. */
const BALANCE = '1769481';

let world: PayingWorld;
beforeAll(async () => {
  world = await createPayingWorld('for lunch');
});
afterAll(() => world?.close());

/** The request that the client shows to its user. */
interface Question {
  readonly url: string;
  readonly message: string;
}

const META = 'io.modelcontextprotocol/';

/** Calls `tools/call` as a client that can open pages, unless it is said otherwise. */
async function callTool(
  serviceUrl: string,
  params: Members,
  {
    capabilities = { elicitation: { url: {} } },
    token,
    signal,
  }: { capabilities?: object; token?: string; signal?: AbortSignal } = {},
): Promise<{ readonly result: Members; readonly error?: { readonly code: number } }> {
  const meta = {
    [`${META}protocolVersion`]: '2026-07-28',
    [`${META}clientCapabilities`]: capabilities,
    [`${META}clientInfo`]: { name: 'plain', version: '1' },
  };
  const response = await fetch(`${serviceUrl}/mcp`, {
    method: 'POST',
    ...(signal && { signal }),
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': String(params['name']),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: meta } }),
  });
  expect(response.headers.get('content-type')).toBe('application/json');
  return (await response.json()) as never;
}

const balanceOf = (wallet: KeyPairSigner) => ({
  name: 'spl.getPrivateBalance',
  arguments: { address: wallet.address, mint: USDC_MINT },
});

/** Asks for a balance without a token. */
async function ask(wallet: KeyPairSigner) {
  const { result } = await callTool(world.app.serviceUrl, balanceOf(wallet));
  const { inputRequests, requestState } = result as never as {
    readonly inputRequests: { readonly login: { readonly params: Question } };
    readonly requestState: string;
  };
  const { url, message } = inputRequests.login.params;
  return { result, requestState, id: idOf(url), code: codeIn(message) };
}

const idOf = (url: string): string => new URL(url).searchParams.get('ask') ?? '';
const codeIn = (message: string): string => /code ([A-Z2-9-]{7})\./.exec(message)?.[1] ?? '';

const collect = (wallet: KeyPairSigner, requestState: string, more: Members = {}) =>
  callTool(world.app.serviceUrl, { ...balanceOf(wallet), requestState, ...more });

/** Asks the page's API. */
async function onPage(
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${world.app.serviceUrl}/console/api/login${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

/** Does on the page what a person does there, with the key of a wallet. */
async function answer(id: string, code: string, wallet: KeyPairSigner, signer = wallet) {
  const { challenge } = await world.client.challenge({ pubkey: wallet.address });
  return onPage('/answer', { id, code, challenge, signature: await signText(signer, challenge) });
}

describe('the official client, whose user can open a page', () => {
  /** @param onAsked what the user does with the question. */
  async function connect(onAsked: (question: Question) => Promise<'accept' | 'decline'>): Promise<Client> {
    const client = new Client(
      { name: 'official', version: '1' },
      {
        capabilities: { elicitation: { url: {} } },
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      },
    );
    client.setRequestHandler('elicitation/create', async ({ params }) => ({
      action: await onAsked(params as never as Question),
    }));
    await client.connect(new StreamableHTTPClientTransport(new URL(`${world.app.serviceUrl}/mcp`)));
    onTestFinished(() => client.close());
    return client;
  }

  it('reads a private balance once its user has logged in, and receives no token', async () => {
    const asked: Question[] = [];
    const client = await connect(async (question) => {
      asked.push(question);
      const { url, message } = question;
      expect(await answer(idOf(url), codeIn(message), world.payer)).toEqual({ status: 200, text: '{}' });
      return 'accept';
    });
    const result = await client.callTool(balanceOf(world.payer));
    expect(result.structuredContent).toMatchObject({ balance: BALANCE });
    expect(asked).toHaveLength(1);
    const [{ url, message } = { url: '', message: '' }] = asked;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/login\?ask=[\w-]{43}$/);
    expect(message).toContain(world.payer.address);
    expect(JSON.stringify(result)).not.toMatch(/token":|Bearer/);
  });

  it('waits while its user has opened the page but not logged in', async () => {
    const client = await connect(async ({ url, message }) => {
      // The client learns that the page is open; the login arrives after its next request.
      setTimeout(() => void answer(idOf(url), codeIn(message), world.payer), 300);
      return 'accept';
    });
    const { structuredContent } = await client.callTool(balanceOf(world.payer));
    expect(structuredContent).toMatchObject({ balance: BALANCE });
  });

  it('receives an error saying that nothing was read if its user declines', async () => {
    let id = '';
    const client = await connect(async ({ url }) => {
      id = idOf(url);
      return 'decline';
    });
    const result = await client.callTool(balanceOf(world.payer));
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result.content)).toContain('declined');
    expect((await onPage('', { id })).status).toBe(422);
  });
});

describe('a call without a token', () => {
  it.each([
    ['without the elicitation capability', {}],
    ['that can only show forms', { elicitation: {} }],
    ['whose elicitation capability is not an object', { elicitation: { url: true } }],
  ])('from a client %s is rejected as before', async (_, capabilities) => {
    const { result } = await callTool(world.app.serviceUrl, balanceOf(world.payer), { capabilities });
    expect(result).toMatchObject({ resultType: 'complete', isError: true });
    expect(JSON.stringify(result)).toContain('MISSING_AUTH_TOKEN');
  });

  it('is answered with the login request, in plain JSON', async () => {
    const { result } = await ask(world.payer);
    expect(result).toEqual({
      resultType: 'input_required',
      _meta: { [`${META}serverInfo`]: expect.any(Object) },
      inputRequests: {
        login: {
          method: 'elicitation/create',
          params: { mode: 'url', url: expect.any(String), message: expect.any(String) },
        },
      },
      requestState: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('does not request a login if it has a token or needs none', async () => {
    const { serviceUrl } = world.app;
    const isReady = { name: 'spl.isMintInitialized', arguments: { mint: USDC_MINT } };
    expect((await callTool(serviceUrl, isReady)).result).toMatchObject({ resultType: 'complete' });
    const { result } = await callTool(serviceUrl, balanceOf(world.payer), { token: world.token });
    expect(result).toMatchObject({ structuredContent: { balance: BALANCE } });
  });

  it('is not sent to a page that is disabled or that others can reach', async () => {
    for (const settings of [{ CONSOLE: 'off' }, { CONSOLE: 'on', ALLOWED_HOSTS: 'pay.internal' }]) {
      const { serviceUrl } = await startConsole(settings);
      const call = { name: 'spl.getPrivateBalance', arguments: balanceOf(world.payer).arguments };
      const { result } = await callTool(serviceUrl, { ...call, requestState: 'A'.repeat(43) });
      expect(result).toMatchObject({ resultType: 'complete' });
    }
  });
});

describe('a call that is repeated', () => {
  it('collects a login that arrived after the previous repeat had timed out', async () => {
    const { id, code, requestState } = await ask(world.payee);
    // Waits from its own call on, until its connection is closed.
    const connection = new AbortController();
    const { serviceUrl } = world.app;
    const params = { ...balanceOf(world.payee), requestState };
    const waits = vi.spyOn(RequestedLogins.prototype, 'collect');
    onTestFinished(() => waits.mockRestore());
    const givenUp = callTool(serviceUrl, params, { signal: connection.signal });
    await vi.waitFor(() => expect(waits).toHaveBeenCalledTimes(1), PATIENCE);
    connection.abort();
    await expect(givenUp).rejects.toThrow(/abort/);
    await vi.waitFor(() => expect(waits.mock.calls[0]?.[2]?.aborted).toBe(true), PATIENCE);
    expect((await answer(id, code, world.payee)).status).toBe(200);
    expect((await collect(world.payee, requestState)).result).toMatchObject({
      resultType: 'complete',
    });
  });

  it('whose arguments are not an object is rejected each time, and consumes nothing', async () => {
    const { id, code, requestState } = await ask(world.payee);
    const { name } = balanceOf(world.payee);
    for (const args of [null, '{}', [], 7]) {
      const first = await callTool(world.app.serviceUrl, { name, arguments: args });
      expect(first).toMatchObject({ error: { code: -32602 } });
      const again = await callTool(world.app.serviceUrl, { name, arguments: args, requestState });
      expect(again).toEqual(first);
    }
    expect((await answer(id, code, world.payee)).status).toBe(200);
    expect((await collect(world.payee, requestState)).result).toMatchObject({ resultType: 'complete' });
  });
});

describe('a stranger', () => {
  it('with the address of the page cannot collect the token from the login', async () => {
    const { id, code, requestState } = await ask(world.payer);
    expect((await answer(id, code, world.payer)).status).toBe(200);
    expect(await collect(world.payer, id)).toMatchObject({ error: { code: -32602 } });
    expect((await collect(world.payer, requestState)).result).toMatchObject({
      structuredContent: { balance: BALANCE },
    });
  });

  it('who guesses a requestState or reuses one is rejected and learns nothing', async () => {
    const { id, code, requestState } = await ask(world.payer);
    await answer(id, code, world.payer);
    for (const guess of ['', 'A'.repeat(43), 7, null, {}]) {
      const told = await collect(world.payer, guess as string);
      expect(told).toMatchObject({ error: { code: -32602 } });
      expect(JSON.stringify(told)).not.toContain(BALANCE);
    }
    expect((await collect(world.payer, requestState)).result).toMatchObject({ resultType: 'complete' });
    expect(await collect(world.payer, requestState)).toMatchObject({ error: { code: -32602 } });
  });

  it('cannot apply the login of one wallet to another call', async () => {
    const { id, code, requestState } = await ask(world.payer);
    await answer(id, code, world.payer);
    expect(await collect(world.payee, requestState)).toMatchObject({ error: { code: -32602 } });
    expect((await collect(world.payer, requestState)).result).toMatchObject({ resultType: 'complete' });
  });

  it('who opens the page cannot answer with another wallet, or without the code', async () => {
    const { id, code, requestState } = await ask(world.payer);
    expect((await answer(id, code, world.payer, world.payee)).status).toBe(401);
    expect((await answer(id, code, world.payee)).status).toBe(401);
    expect((await answer(id, '', world.payer)).status).toBe(422);
    const closed = { inputResponses: { login: { action: 'cancel' } } };
    expect((await collect(world.payer, requestState, closed)).result).toMatchObject({ isError: true });
    expect((await answer(id, code, world.payer)).status).toBe(422);
  });

  it('sees who requests what, but neither the code nor the secret', async () => {
    const { id, code, requestState } = await ask(world.payer);
    const { status, text } = await onPage('', { id });
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        wallet: world.payer.address,
        tells: `how many tokens of the mint ${USDC_MINT} this wallet has on the rollup now`,
        client: 'plain',
        cluster: null,
        warning: ['Did you start this login yourself, just now?', expect.stringContaining('decline')],
      },
    ]);
    for (const hidden of [code, requestState]) expect(text).not.toContain(hidden);
  });

  it('on a page of another origin receives nothing', async () => {
    const { id } = await ask(world.payee);
    const response = await fetch(`${world.app.serviceUrl}/console/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
      body: JSON.stringify({ id }),
    });
    expect(response.status).toBe(403);
  });

  it('cannot find such a call in the list of calls', async () => {
    const before = await listOfCalls();
    const { id, code, requestState } = await ask(world.payee);
    await answer(id, code, world.payee);
    await collect(world.payee, requestState);
    await collect(world.payee, requestState);
    await callTool(world.app.serviceUrl, balanceOf(world.payee), { capabilities: {} });
    expect(await listOfCalls()).toBe(before);
  });
});

const listOfCalls = async (): Promise<string> =>
  (await fetch(`${world.app.serviceUrl}/console/api/requests`)).text();
