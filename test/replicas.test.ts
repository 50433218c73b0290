import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Keypair } from '../src/ledger/keypair.ts';
import { USDC_MINT } from '../src/programs/addresses.ts';
import { encodeBase58 } from '../src/solana/base58.ts';
import { missingPrograms, startPostgres, startRedis } from '../src/state/testing/server-process.ts';
import { openTcpCutter, type TcpCutter } from '../src/state/testing/tcp-cutter.ts';
import { folderOfFile } from './folders.ts';
import { type Answer, ask, membersOf } from './replicas/ask.ts';
import { GASLESS_LAMPORTS, type Network, startNetwork } from './replicas/network.ts';
import { type StackProcess, startStack } from './stack-process.ts';

const MISSING = missingPrograms('postgres', 'initdb', 'pg_isready', 'redis-server', 'redis-cli');

const REPLICAS = 3;
const BURST = 10;
/** Gasless transfers that the hourly budget pays for. One client can spend half of it. */
const GASLESS_MAX = 4;

describe.skipIf(MISSING)(`three replicas with one database${MISSING ? `, ${MISSING}` : ''}`, () => {
  let network: Network;
  let toPostgres: TcpCutter;
  let env: Record<string, string>;
  const replicas: StackProcess[] = [];

  const startReplica = async (): Promise<StackProcess> => {
    const replica = await startStack(await folderOfFile(), { env });
    replicas.push(replica);
    return replica;
  };

  beforeAll(async () => {
    const folder = await folderOfFile();
    const [started, postgres, redis] = await Promise.all([
      startNetwork(folder, 2),
      startPostgres(),
      startRedis(),
    ]);
    network = started;
    toPostgres = await openTcpCutter(postgres.port);
    afterAll(async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await Promise.all([network.stop(), postgres.stop(), redis.stop(), toPostgres.close()]);
    });
    env = {
      ...network.env,
      STATE_URL: postgres.url.replace(String(postgres.port), String(toPostgres.port)),
      LIMITS_URL: redis.url,
      RATE_LIMIT_PER_SECOND: '1',
      RATE_LIMIT_BURST: String(BURST),
      GASLESS_SOL_PER_HOUR: String(Number(GASLESS_LAMPORTS) * GASLESS_MAX * 1e-9),
    };
    await Promise.all(Array.from({ length: REPLICAS }, startReplica));
  });

  const deposit = (amount: number) => ({ owner: network.wallets[0]?.address, mint: USDC_MINT, amount });

  const askEach = (path: string, body: object, headers: Record<string, string>, from: string) =>
    Promise.all(replicas.map(({ serviceUrl }) => ask(serviceUrl + path, body, { headers, from })));

  it('execute a request with an Idempotency-Key once, and reject another body with 422', async () => {
    const headers = { 'idempotency-key': 'one-for-all' };
    const from = '127.0.0.2';
    const atOnce = await askEach('/v1/spl/deposit', deposit(1), headers, from);
    const fresh = atOnce.filter((each) => each.status === 200 && !each.headers['idempotent-replayed']);
    expect(fresh).toHaveLength(1);
    for (const { status, headers: told, text } of await askEach('/v1/spl/deposit', deposit(1), headers, from))
      expect([status, told['idempotent-replayed'], text]).toEqual([200, 'true', fresh[0]?.text]);
    for (const other of await askEach('/v1/spl/deposit', deposit(2), headers, from))
      expect([other.status, membersOf(other)['code']]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('serve one login: one replica requests it, another answers it, the third collects it', async () => {
    const [first = '', second = '', third = ''] = replicas.map(({ serviceUrl }) => serviceUrl);
    const from = '127.0.0.3';
    const wallet = network.wallets[0] as Keypair;
    const call = { name: 'spl.getPrivateBalance', arguments: { address: wallet.address, mint: USDC_MINT } };
    const requested = resultOf(await callTool(first, call, from)) as never as {
      readonly inputRequests: {
        readonly login: { readonly params: { readonly url: string; readonly message: string } };
      };
      readonly requestState: string;
    };
    const { url, message } = requested.inputRequests.login.params;
    const challenged = await fetch(`${second}/v1/spl/challenge?pubkey=${wallet.address}`);
    const { challenge } = (await challenged.json()) as { readonly challenge: string };
    const answered = await ask(`${second}/console/api/login/answer`, {
      id: new URL(url).searchParams.get('ask'),
      code: /code ([A-Z2-9-]{7})\./.exec(message)?.[1],
      challenge,
      signature: encodeBase58(wallet.sign(Buffer.from(challenge))),
    });
    expect([answered.status, answered.text]).toEqual([200, '{}']);
    const { requestState } = requested;
    const collected = resultOf(await callTool(third, { ...call, requestState }, from));
    expect(collected).toMatchObject({ structuredContent: { balance: expect.any(String) } });
  });

  it('allow one burst of a client together', async () => {
    const from = '127.0.0.4';
    const startMs = performance.now();
    const bursts = Array.from({ length: 20 }, () => askEach('/v1/spl/deposit', deposit(3), {}, from));
    const answers = (await Promise.all(bursts)).flat();
    const allowed = answers.filter(({ status }) => status === 200).length;
    expect(allowed).toBeGreaterThanOrEqual(BURST);
    const refilled = Math.ceil((performance.now() - startMs) / 1_000);
    // On a busy machine Redis may not answer in time.
    const countedLocally = await Promise.all(replicas.map(({ serviceUrl }) => localCountOf(serviceUrl)));
    expect(allowed - countedLocally.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(
      BURST + refilled,
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(answers.length - allowed);
  });

  it('share the budget of the sponsor, which a restart does not reset', async () => {
    const [sender, recipient] = network.wallets;
    let amount = 1_000_000;
    const pay = async ({ serviceUrl }: StackProcess, from: string): Promise<string> => {
      const parties = { from: sender?.address, to: recipient?.address, mint: USDC_MINT };
      // Equal transfers would be one transaction.
      const body = { ...parties, amount: (amount += 1), visibility: 'public', gasless: true };
      const answer = await ask(`${serviceUrl}/v1/spl/transfer`, body, { from });
      const { detail = '' } = membersOf(answer);
      return `${answer.status} ${/limit for [a-z ]+/.exec(String(detail))?.[0] ?? ''}`.trim();
    };
    const [first, second, third] = replicas as [StackProcess, StackProcess, StackProcess];
    const [one, other, another] = ['127.0.0.5', '127.0.0.6', '127.0.0.7'];
    expect(await pay(first, one)).toBe('200');
    expect(await pay(second, one)).toBe('200');
    expect(await pay(third, one)).toBe('503 limit for one caller');
    expect(await pay(third, other)).toBe('200');
    expect(await pay(first, other)).toBe('200');
    expect(await pay(second, another)).toBe('503 limit for all callers');
    await third.stop();
    replicas.splice(2, 1);
    expect(await pay(await startReplica(), another)).toBe('503 limit for all callers');
  });

  it('start without the database, serve requests without a key, and recover when it is back', async () => {
    toPostgres.cut();
    onTestFinished(() => toPostgres.restore());
    const replica = await startReplica();
    const url = `${replica.serviceUrl}/v1/spl/deposit`;
    const options = { headers: { 'idempotency-key': 'too-early' }, from: '127.0.0.8' };
    const rejected = await ask(url, deposit(4), options);
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([503, '1']);
    expect((await ask(url, deposit(4), { from: '127.0.0.8' })).status).toBe(200);
    toPostgres.restore();
    const stored = await ask(url, deposit(4), options);
    const replayed = await ask(`${replicas[0]?.serviceUrl}/v1/spl/deposit`, deposit(4), options);
    expect([stored.status, replayed.status, replayed.text]).toEqual([200, 200, stored.text]);
  });
});

const META = 'io.modelcontextprotocol/';

/** Calls a tool as an MCP client whose user can open pages. */
function callTool(
  serviceUrl: string,
  params: { readonly name: string; readonly requestState?: string },
  from: string,
): Promise<Answer> {
  const meta = {
    [`${META}protocolVersion`]: '2026-07-28',
    [`${META}clientCapabilities`]: { elicitation: { url: {} } },
  };
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': params.name,
  };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: meta } };
  return ask(`${serviceUrl}/mcp`, call, { headers, from });
}

const resultOf = (answer: Answer): object => membersOf(answer)['result'] as object;

/** Returns the requests that a replica has counted without Redis. */
async function localCountOf(serviceUrl: string): Promise<number> {
  const metrics = await (await fetch(`${serviceUrl}/metrics`)).text();
  return Number(/^rate_limit_local_total (\d+)$/m.exec(metrics)?.[1]);
}
