import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from './folders.ts';
import { childrenOf, isRunning, runToEnd, startStack, waitFor, type StackProcess } from './stack-process.ts';
import { playNetwork, type PlayedNetwork } from './upstreams/played-network.ts';
import { networkVariables } from './upstreams/start-service.ts';
import { DEPOSIT, newBlockhash } from './upstreams/two-networks.ts';
import { IS_LONG } from './length.ts';

/** How long a start may take where other tests keep the machine busy, ms. */
const START_MS_MAX = 120_000;

/** So many that both workers are likely to be asked, as connections are handed round. */
const MANY = 6;

/** Connections that ask for something while the program ends. */
const FRESH = 60;

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** One request, by default on a connection of its own. */
function ask(
  url: string,
  { body, headers = {}, agent }: { body?: object; headers?: Record<string, string>; agent?: Agent } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
        agent: agent ?? false,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
        response.on('error', reject);
      },
    );
    asked.on('error', reject).end(body && JSON.stringify(body));
  });
}

const askMany = (url: string, options?: Parameters<typeof ask>[1]): Promise<Answer[]> =>
  Promise.all(Array.from({ length: MANY }, () => ask(url, options)));

let network: PlayedNetwork;
beforeAll(async () => {
  network = await playNetwork({ base: newBlockhash(), rollup: newBlockhash() });
});
afterAll(() => network.close());

const clusterEnv = (): Record<string, string> => ({
  WORKERS: '2',
  CLUSTER: 'mainnet',
  ...networkVariables('mainnet', network),
  LEDGER_UPSTREAM_URL: network.base.url.href,
});

/** Two workers in front of the network, both of which serve. */
async function startWorkers(env: Record<string, string>, onEnd = onTestFinished): Promise<StackProcess> {
  const folder = await temporaryFolder((remove) => onEnd(remove));
  const stack = await startStack(folder, { env: { ...clusterEnv(), ...env } });
  onEnd(() => void stack.child.kill('SIGKILL'));
  await waitFor(async () => (await workersOf(stack)).size === 2, START_MS_MAX);
  return stack;
}

/** The workers that answer on either port, by what they call themselves. */
async function workersOf({ serviceUrl, ledgerUrl }: StackProcess): Promise<Set<string | undefined>> {
  const answers = [...(await askMany(`${serviceUrl}/metrics`)), ...(await askMany(`${ledgerUrl}/metrics`))];
  return new Set(
    answers.map(({ body }) => /^process_resident_memory_bytes\{worker="(\d)"\}/m.exec(body)?.[1]),
  );
}

describe('two workers', () => {
  let stack: StackProcess;
  beforeAll(async () => {
    stack = await startWorkers({}, afterAll);
  });

  it(
    'are complete: each serves both ports, and reports its own metrics',
    async () => {
      expect(stack.output().stdout).toContain('2 processes share');
      for (const { status, body } of await askMany(`${stack.serviceUrl}/v1/spl/deposit`, { body: DEPOSIT })) {
        expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ kind: 'deposit' })]);
      }
      for (const url of [stack.serviceUrl, stack.ledgerUrl]) {
        const answers = await askMany(`${url}/metrics`);
        const told = answers.map(({ body }) => body.match(/^process_resident_memory_bytes\{.*$/gm)?.length);
        expect(told).toEqual(Array.from({ length: MANY }, () => 1));
        for (const { body } of await askMany(`${url}/ready`)) expect(body).toBe('ready\n');
      }
    },
    START_MS_MAX,
  );

  it(
    'execute a request with an Idempotency-Key once, regardless of which worker receives it',
    async () => {
      const url = `${stack.serviceUrl}/v1/spl/deposit`;
      const headers = { 'idempotency-key': 'one-and-the-same' };
      const atOnce = await askMany(url, { body: DEPOSIT, headers });
      const fresh = atOnce.filter((each) => each.status === 200 && !each.headers['idempotent-replayed']);
      expect(fresh).toHaveLength(1);
      for (const { status, headers: told, body } of await askMany(url, { body: DEPOSIT, headers })) {
        expect([status, told['idempotent-replayed'], body]).toEqual([200, 'true', fresh[0]?.body]);
      }
      const other = await askMany(url, { body: { ...DEPOSIT, amount: 2 }, headers });
      expect(new Set(other.map(({ status }) => status))).toEqual(new Set([422]));
    },
    START_MS_MAX,
  );

  it(
    'serve a console without a list of calls',
    async () => {
      const { serviceUrl } = stack;
      await askMany(`${serviceUrl}/v1/spl/deposit`, { body: DEPOSIT });
      for (const { body } of await askMany(`${serviceUrl}/console/api/requests`)) {
        expect(JSON.parse(body)).toMatchObject({ entries: [] });
      }
      for (const { body } of await askMany(`${serviceUrl}/console/api/state`)) {
        expect(body).toContain('With several WORKERS no calls are listed');
      }
    },
    START_MS_MAX,
  );

  it(
    'both serve logins that MCP clients request, and reject an unknown login',
    async () => {
      const { serviceUrl } = stack;
      const name = 'spl.getPrivateBalance';
      const meta = 'io.modelcontextprotocol/';
      const params = {
        name,
        arguments: { address: DEPOSIT.owner, mint: DEPOSIT.mint },
        requestState: 'A'.repeat(43),
        _meta: {
          [`${meta}protocolVersion`]: '2026-07-28',
          [`${meta}clientCapabilities`]: { elicitation: { url: {} } },
        },
      };
      const headers = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      for (const refused of await askMany(`${serviceUrl}/mcp`, { headers, body })) {
        expect(JSON.parse(refused.body)).toMatchObject({ error: { code: -32602 } });
      }
    },
    START_MS_MAX,
  );

  it(
    'are replaced one by one when they crash, while the other keeps serving',
    async () => {
      const [first, second] = childrenOf(stack.child.pid) as [number, number];
      process.kill(first, 'SIGKILL');
      for (const { status } of await askMany(`${stack.serviceUrl}/health`)) expect(status).toBe(200);
      await waitFor(async () => (await workersOf(stack)).size === 2, START_MS_MAX);
      expect(stack.output().stderr).toContain('"worker":1,"death":"SIGKILL"');
      expect(childrenOf(stack.child.pid)).toContain(second);
    },
    2 * START_MS_MAX,
  );

  it(
    'are replaced when they hang, and connections that a worker had not accepted are passed on',
    async () => {
      process.kill(childrenOf(stack.child.pid)[0] as number, 'SIGSTOP');
      for (const { status } of await askMany(`${stack.serviceUrl}/health`)) expect(status).toBe(200);
      await waitFor(async () => (await workersOf(stack)).size === 2, START_MS_MAX);
      expect(stack.output().stderr).toContain('SIGKILL, by the supervisor');
    },
    2 * START_MS_MAX,
  );

  it(
    'lose no request that arrives while all of them stop',
    async () => {
      const { serviceUrl } = stack;
      const half = await openHalfDeposit(serviceUrl);
      const agents = Array.from({ length: MANY }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
      onTestFinished(() => agents.forEach((agent) => agent.destroy()));
      for (const agent of agents) await ask(`${serviceUrl}/health`, { agent });
      const pids = childrenOf(stack.child.pid);

      const outcomes: Promise<number | string>[] = [];
      const note = (asked: Promise<Answer>): void => {
        outcomes.push(
          asked.then(
            ({ status }) => status,
            ({ code }: NodeJS.ErrnoException) => code ?? 'fault',
          ),
        );
      };
      // Signals go to all of them, as Ctrl+C does, in the middle of a burst of fresh connections.
      for (let at = 0; at < FRESH; at += 1) {
        note(ask(`${serviceUrl}/v1/spl/deposit`, { body: DEPOSIT }));
        if (at % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
        if (at === FRESH / 2)
          for (const pid of [stack.child.pid as number, ...pids]) process.kill(pid, 'SIGINT');
      }
      for (const agent of agents) note(ask(`${serviceUrl}/v1/spl/deposit`, { body: DEPOSIT, agent }));
      const told = new Set(await Promise.all(outcomes));
      // Late connections are refused; accepted ones get a response.
      expect([...told].filter((outcome) => outcome !== 200 && outcome !== 'ECONNREFUSED')).toEqual([]);
      expect(told).toContain(200);
      expect(await half.complete()).toContain('HTTP/1.1 200');
      expect((await stack.ended).code).toBe(0);
      await waitFor(() => !pids.some(isRunning));
    },
    START_MS_MAX,
  );
});

describe.runIf(IS_LONG)('two other workers', () => {
  it(
    'each enforce half of a rate limit',
    async () => {
      const stack = await startWorkers({ RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '8' });
      const begun = performance.now();
      const url = `${stack.serviceUrl}/v1/spl/deposit`;
      const answers = [
        ...(await askMany(url, { body: DEPOSIT })),
        ...(await askMany(url, { body: DEPOSIT })),
      ];
      const limited = answers.filter(({ status }) => status === 429);
      const added = Math.ceil((performance.now() - begun) / 1_000);
      expect(limited.length).toBeGreaterThanOrEqual(answers.length - 8 - added);
      expect(answers[0]?.headers['ratelimit-policy']).toContain('"client";q=4;');
    },
    START_MS_MAX,
  );

  it(
    'leave nothing behind when the supervisor is killed',
    async () => {
      const stack = await startWorkers({});
      const pids = childrenOf(stack.child.pid);
      expect(pids).toHaveLength(2);
      // It has ended when no process holds its output.
      await stack.stop('SIGKILL');
      await waitFor(() => !pids.some(isRunning));
    },
    START_MS_MAX,
  );
});

describe('workers that cannot start', () => {
  const start = async (env: Record<string, string>, args: string[] = []) => {
    const folder = await temporaryFolder(onTestFinished);
    return await runToEnd(args, { PORT: '0', LEDGER_RPC_PORT: '0', DATA_DIR: folder, ...env });
  };

  it('are rejected with an embedded ledger, in one message', async () => {
    const { code, stderr } = await start({ WORKERS: '2', ROLLUP_RPC_PORT: '0' });
    expect(code).toBe(78);
    expect(stderr.match(/always one process/g)).toHaveLength(1);
  });

  it.runIf(IS_LONG)('are rejected without the supervisor', async () => {
    const { code, stderr } = await start(clusterEnv(), ['--no-supervisor']);
    expect([code, stderr]).toEqual([78, expect.stringContaining('remove --no-supervisor')]);
  });

  it.runIf(IS_LONG)('abort the start if the port is taken', async () => {
    const blocker = createServer();
    blocker.listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    onTestFinished(() => void blocker.close());
    const { port } = blocker.address() as AddressInfo;
    const { code, stderr } = await start({ ...clusterEnv(), PORT: String(port) });
    expect(code).toBe(78);
    expect(stderr.match(/PORT \d+ is in use on 127.0.0.1/g)).toHaveLength(1);
  });

  it('are not restarted after several exits in a row', async () => {
    const NODE_OPTIONS =
      '--import=data:text/javascript,import%20cluster%20from%22cluster%22;cluster.isWorker&&process.kill(process.pid,9)';
    const { code, stdout, stderr } = await start({ ...clusterEnv(), NODE_OPTIONS });
    expect([code, stdout]).toEqual([70, '']);
    expect(stderr).toContain('crashed 5 times in a row');
  });
});

/** A deposit of which the end is still to be sent. */
async function openHalfDeposit(url: string): Promise<{ complete(): Promise<string> }> {
  const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const body = JSON.stringify(DEPOSIT);
  const head = `POST /v1/spl/deposit HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(head + body.slice(0, 5), () => resolve()));
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
  return {
    async complete() {
      socket.write(body.slice(5));
      await once(socket, 'close');
      return answer;
    },
  };
}
