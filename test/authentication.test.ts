import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Keypair } from '../src/ledger/keypair.ts';
import { USDC_MINT } from '../src/programs/addresses.ts';
import { systemRandom } from '../src/ports/random.ts';
import { OauthIssuer } from '../src/service/auth/testing/oauth-issuer.ts';
import { decodeBase58 } from '../src/solana/base58.ts';
import { createDatabase, NO_POSTGRES } from '../src/state/testing/postgres-database.ts';
import { openTcpCutter } from '../src/state/testing/tcp-cutter.ts';
import { runInBash } from './examples/bash-session.ts';
import { folderOfFile, temporaryFolder } from './folders.ts';
import { launchHosted, runToEnd, type StackProcess, startStack } from './stack-process.ts';
import { playNetwork, type PlayedNetwork } from './upstreams/played-network.ts';
import { networkVariables } from './upstreams/start-service.ts';
import { newBlockhash } from './upstreams/two-networks.ts';

/** Time after which a revoked key is refused everywhere, ms. */
const REVOKED_MS = 1_000;

const QUERY = `address=3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE&mint=${USDC_MINT}`;

/** Reads a private balance, which passes the token for the rollup on. */
const read = (stack: StackProcess, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${stack.serviceUrl}/v1/spl/private-balance?${QUERY}`, { headers });

const list = (stack: StackProcess, authorization: string): Promise<Response> =>
  fetch(`${stack.serviceUrl}/mcp`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

async function start(env: Record<string, string>): Promise<StackProcess> {
  const stack = await startStack(await temporaryFolder(onTestFinished), { env });
  onTestFinished(async () => void (await stack.stop()));
  return stack;
}

/** Creates a key on the command line. */
async function createKey(env: Record<string, string>, ...words: string[]): Promise<string> {
  const { stdout, stderr, code } = await runToEnd(['keys', 'create', '--name', 'shop', ...words], env);
  expect(code, stderr).toBe(0);
  return stdout.trim();
}

describe.skipIf(NO_POSTGRES)('API keys of several replicas', () => {
  it('are accepted by all, and refused by all a second after they were revoked', async () => {
    const env = { API_AUTH: 'keys', STATE_URL: await createDatabase() };
    const replicas = await Promise.all([start(env), start(env)]);
    const key = await createKey(env);
    const statuses = (): Promise<number[]> =>
      Promise.all(
        replicas.flatMap((replica) => [
          list(replica, `Bearer ${key}`).then(({ status }) => status),
          read(replica, { authorization: `Bearer ${key}` }).then(({ status }) => status),
        ]),
      );
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    expect((await runToEnd(['keys', 'revoke', 'shop'], env)).code).toBe(0);
    await sleep(REVOKED_MS);
    expect(await statuses()).toEqual([401, 401, 401, 401]);
  });

  it('cannot be used while the database does not answer', async () => {
    const url = await createDatabase();
    const cutter = await openTcpCutter(Number(new URL(url).port));
    onTestFinished(() => cutter.close());
    const env = { API_AUTH: 'keys', STATE_URL: url.replace(/:\d+\//, `:${cutter.port}/`) };
    const replica = await start(env);
    const key = await createKey({ STATE_URL: url });
    expect((await list(replica, `Bearer ${key}`)).status).toBe(200);
    cutter.cut();
    await sleep(REVOKED_MS);
    const refused = await list(replica, `Bearer ${key}`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await fetch(`${replica.serviceUrl}/ready`)).status).toBe(200);
    cutter.restore();
    expect((await list(replica, `Bearer ${key}`)).status).toBe(200);
  });
});

describe('credentials', () => {
  let network: PlayedNetwork;
  let issuer: OauthIssuer;
  beforeAll(async () => {
    network = await playNetwork({ base: newBlockhash(), rollup: newBlockhash() });
    issuer = await OauthIssuer.start();
  });
  afterAll(async () => {
    await network.close();
    await issuer.close();
  });

  it('are neither logged nor sent to a network, unlike the token for the rollup', async () => {
    const env = {
      API_AUTH: 'both',
      OAUTH_ISSUER: issuer.url,
      OAUTH_AUDIENCE: 'pay',
      CLUSTER: 'devnet',
      LOG_LEVEL: 'trace',
      ACCESS_LOG: 'on',
      ...networkVariables('devnet', network),
    };
    const folder = await temporaryFolder(onTestFinished);
    const stack = await startStack(folder, { env });
    const key = await createKey({ DATA_DIR: folder });
    const [good, expired] = [await issuer.sign('pay'), await issuer.sign('pay', { claims: { exp: 1 } })];
    const rollup = { 'rollup-authorization': 'Bearer for-the-rollup' };
    const statuses: number[] = [];
    for (const token of [key, good, expired, `${key}x`, 'nonsense']) {
      statuses.push((await read(stack, { ...rollup, authorization: `Bearer ${token}` })).status);
    }
    expect(statuses).toEqual([200, 200, 401, 401, 401]);
    const calls = [...network.base.calls, ...network.rollup.calls];
    const sent = calls.map((call) => JSON.stringify(call)).join('\n');
    expect(sent).toContain('for-the-rollup');
    const { stdout, stderr } = await stack.stop();
    for (const secret of [key, good, expired, `${key}x`]) {
      for (const text of [sent, stdout, stderr]) expect(text.includes(secret)).toBe(false);
      const [, payload] = secret.split('.');
      if (payload !== undefined) expect(stderr.includes(payload)).toBe(false);
    }
    expect(stderr).not.toContain('for-the-rollup');
  });
});

it('every path of the API needs a credential, and a scope', async () => {
  const issuer = await OauthIssuer.start();
  onTestFinished(() => issuer.close());
  const seed = systemRandom.bytes(32);
  const key = [...seed, ...decodeBase58(new Keypair(seed).address)];
  const { serviceUrl } = await start({
    API_AUTH: 'oauth',
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: 'pay',
    FACILITATOR_SECRET_KEY: JSON.stringify(key),
  });
  const document = (await (await fetch(`${serviceUrl}/doc`)).json()) as {
    readonly paths: Readonly<
      Record<string, Readonly<Record<string, { readonly security?: readonly unknown[] }>>>
    >;
  };
  const authorization = `Bearer ${await issuer.sign('pay', { claims: { scope: '' } })}`;
  const asked = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { security }]) => ({ path, method: method.toUpperCase(), security })),
  );
  for (const { path, method, security } of asked) {
    const statusOf = async (headers: Record<string, string>): Promise<number> => {
      const body =
        method === 'POST'
          ? { body: '{}', headers: { ...headers, 'content-type': 'application/json' } }
          : { headers };
      return (await fetch(serviceUrl + path.replace('{id}', 'a'.repeat(43)), { method, ...body })).status;
    };
    const statuses = [await statusOf({}), await statusOf({ authorization })];
    if (security?.length === 0) expect(statuses, path).toEqual([200, 200]);
    // MCP checks the scope of the tool that a message calls.
    else expect(statuses, path).toEqual([401, path !== '/mcp' ? 403 : method === 'GET' ? 200 : 400]);
  }
  expect(asked.map(({ path }) => path)).toEqual(expect.arrayContaining(['/v1/spl/deposit', '/x402/settle']));
});

describe('a service that needs a key', () => {
  let folder: string;
  let stack: StackProcess;
  let key: string;
  let ports: Record<string, string>;
  beforeAll(async () => {
    folder = await temporaryFolder(afterAll);
    stack = await startStack(folder, { env: { API_AUTH: 'keys' } });
    key = await createKey({ DATA_DIR: folder });
    const places = {
      PORT: stack.serviceUrl,
      LEDGER_RPC_PORT: stack.ledgerUrl,
      ROLLUP_RPC_PORT: stack.rollupUrl,
    };
    ports = Object.fromEntries(Object.entries(places).map(([name, url]) => [name, new URL(url).port]));
  });
  afterAll(() => stack.stop());

  it('serves payment commands with SERVICE_TOKEN, and no others', async () => {
    const wallet = ['-k', `${folder}/wallet.json`];
    await runToEnd(['wallet', 'new', ...wallet], ports);
    await runToEnd(['fund', ...wallet], ports);
    const deposit = ['deposit', '1', '--yes', ...wallet];
    const refused = await runToEnd(deposit, ports);
    expect([refused.code, refused.stderr]).toEqual([65, expect.stringContaining('CREDENTIALS_MISSING')]);
    const done = await runToEnd(deposit, { ...ports, SERVICE_TOKEN: key });
    expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/^arrived /)]);
    const away = ['--service', 'http://pay.example.com'];
    const open = await runToEnd([...deposit, ...away], { ...ports, SERVICE_TOKEN: key });
    expect([open.code, open.stderr]).toEqual([78, expect.stringContaining('would be sent unencrypted')]);
  });

  it('serves MCP over stdio with SERVICE_TOKEN, and no others', async () => {
    for (const [env, expected] of [
      [{}, { error: { message: expect.stringContaining('Unauthorized') } }],
      [{ SERVICE_TOKEN: key }, { result: { tools: expect.any(Array) } }],
    ] as const) {
      const host = launchHosted({ env: { ...env, PORT: String(ports['PORT']) } });
      onTestFinished(() => void host.child.kill());
      expect(await host.ask(1, { method: 'tools/list' })).toMatchObject(expected);
    }
  });
});

describe('docs/authentication.md', () => {
  it('shows what its commands print', async () => {
    const text = readFileSync(new URL('../docs/authentication.md', import.meta.url), 'utf8');
    const [, commands = '', shown] = /```bash\n(spp\(\)[^`]*)```\n\n```\n([^`]*)```/.exec(text) ?? [];
    const folder = await temporaryFolder(onTestFinished);
    const stack = await startStack(folder, { env: { API_AUTH: 'keys' } });
    onTestFinished(async () => void (await stack.stop()));
    const typed = commands.replaceAll('127.0.0.1:8787', new URL(stack.serviceUrl).host);
    const [printed] = await runInBash(await folderOfFile(), [typed], { DATA_DIR: folder });
    expect(printed).toBe(shown);
  });

  it('lists the codes and settings that exist', () => {
    const text = readFileSync(new URL('../docs/authentication.md', import.meta.url), 'utf8');
    const codes = [...text.matchAll(/^\| \d{3} `([A-Z_]+)`/gm)].map(([, code]) => code);
    const source = readFileSync(new URL('../src/service/refusal.ts', import.meta.url), 'utf8');
    expect(codes.length).toBe(5);
    expect(codes.filter((code) => !source.includes(`'${code}'`))).toEqual([]);
  });
});
