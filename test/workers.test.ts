import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { folderOfFile, temporaryFolder } from './folders.ts';
import {
  callLedger,
  childrenOf,
  isRunning,
  runToEnd,
  startStack,
  waitFor,
  type StackProcess,
} from './stack-process.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WALLET = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb';
const OTHER_WALLET = '5pxm3dMUoPbgmn5dsmVCWeaKJDW3Bmya8qVLyMGYmVNa';

/** How long a start may take where other tests keep the machine busy, ms. */
const START_MS_MAX = 120_000;

/** So many that both workers are likely to be asked, as connections are handed round. */
const MANY = 6;

const WORKERS = [1, 2];

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

/** Has a server listen where the workers did, once they are dead. */
function canListen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
    server.listen(port, '127.0.0.1');
  });
}

const deposit = { owner: WALLET, amount: 1 };

describe('two workers', () => {
  let stack: StackProcess;
  beforeAll(async () => {
    stack = await startStack(await folderOfFile(), { env: { WORKERS: '2' } });
  });
  afterAll(() => void stack.child.kill('SIGKILL'));

  const servingWorkers = async (): Promise<number> =>
    Number(/^service_workers (\d+)$/m.exec((await ask(`${stack.ledgerUrl}/metrics`)).body)?.[1]);

  it('share the connections, and each port tells the figures of all', async () => {
    for (const { status, body } of await askMany(`${stack.serviceUrl}/v1/spl/deposit`, { body: deposit })) {
      expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ kind: 'deposit' })]);
    }
    await connectToBoth(stack);
    for (const url of [stack.serviceUrl, stack.ledgerUrl]) {
      const { body } = await ask(`${url}/metrics`);
      for (const worker of WORKERS) {
        expect(answeredBy(worker, body)).toBeGreaterThan(0);
        expect(body).toContain(`process_resident_memory_bytes{worker="${worker}"} `);
      }
      expect(body.match(/^# TYPE process_resident_memory_bytes gauge$/gm)).toHaveLength(1);
      expect(body).toMatch(/^service_workers 2$/m);
    }
    for (const { body } of await askMany(`${stack.serviceUrl}/ready`)) expect(body).toBe('ready\n');
  });

  it('see at once what the ledger has acknowledged, and what was sent through either', async () => {
    const url = `${stack.serviceUrl}/v1/spl/balance?address=${OTHER_WALLET}&mint=${USDC}`;
    for (let amount = 1; amount <= 5; amount++) {
      await callLedger(stack.ledgerUrl, 'requestTokenAirdrop', [OTHER_WALLET, USDC, 1]);
      for (const { body } of await askMany(url))
        expect(JSON.parse(body)).toMatchObject({ balance: `${amount}` });
    }
  });

  it('answer a request with a known Idempotency-Key from whichever of them answered it first', async () => {
    const headers = { 'idempotency-key': 'one-and-the-same' };
    const url = `${stack.serviceUrl}/v1/spl/deposit`;
    const first = await ask(url, { body: deposit, headers });
    expect(first.status).toBe(200);
    for (const { headers: replayed, body } of await askMany(url, { body: deposit, headers })) {
      expect(replayed['idempotent-replayed']).toBe('true');
      expect(body).toBe(first.body);
    }
    for (const { status } of await askMany(url, { body: { ...deposit, amount: 2 }, headers })) {
      expect(status).toBe(422);
    }
  });

  it(
    'leave the other one serving when one is killed, and get another in its place',
    async () => {
      const agents = await connectToBoth(stack);
      const workers = childrenOf(stack.stackPid());
      expect(workers).toHaveLength(2);
      process.kill(workers[0] as number, 'SIGKILL');
      const outcomes = await Promise.allSettled(
        agents.map((agent) => ask(`${stack.serviceUrl}/v1/spl/deposit`, { body: deposit, agent })),
      );
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['fulfilled', 'rejected']));
      await waitFor(() => stack.output().stderr.includes('starting a worker again'));
      for (const { status } of await askMany(`${stack.serviceUrl}/health`)) expect(status).toBe(200);
      await waitFor(async () => (await servingWorkers()) === 2, START_MS_MAX);
      expect(childrenOf(stack.stackPid())).toContain(workers[1]);
      for (const { status } of await askMany(`${stack.serviceUrl}/v1/spl/deposit`, { body: deposit })) {
        expect(status).toBe(200);
      }
      expect((await ask(`${stack.serviceUrl}/metrics`)).body).toMatch(/^service_worker_restarts_total 1$/m);
    },
    2 * START_MS_MAX,
  );

  it(
    'hand on what one was given that was killed before it took it (bug: it was never answered)',
    async () => {
      const [stuck] = childrenOf(stack.stackPid());
      process.kill(stuck as number, 'SIGSTOP');
      const statuses: number[] = [];
      const asked = Array.from({ length: MANY }, async () => {
        statuses.push((await ask(`${stack.serviceUrl}/health`)).status);
      });
      await waitFor(() => statuses.length === MANY - 1);
      process.kill(stuck as number, 'SIGKILL');
      await Promise.all(asked);
      expect(statuses).toEqual(Array.from({ length: MANY }, () => 200));
      await waitFor(async () => (await servingWorkers()) === 2, START_MS_MAX);
    },
    2 * START_MS_MAX,
  );

  it(
    'are tried again while another program has their port, and the ledger goes on',
    async () => {
      const port = Number(new URL(stack.serviceUrl).port);
      for (const worker of childrenOf(stack.stackPid())) process.kill(worker, 'SIGKILL');
      const intruder = createServer((socket) => socket.destroy());
      await waitFor(async () => await canListen(intruder, port));
      await waitFor(() => stack.output().stderr.includes('a worker cannot serve'), START_MS_MAX);
      expect(await callLedger(stack.ledgerUrl, 'getHealth', [])).toBe('ok');
      intruder.close();
      await waitFor(async () => (await servingWorkers()) === 2, START_MS_MAX);
      for (const { status } of await askMany(`${stack.serviceUrl}/v1/spl/deposit`, { body: deposit })) {
        expect(status).toBe(200);
      }
    },
    3 * START_MS_MAX,
  );

  it(
    'end with the process of the ledger, and come again with it on the same ports',
    async () => {
      const before = childrenOf(stack.stackPid());
      process.kill(stack.stackPid() as number, 'SIGKILL');
      await waitFor(() => !before.some(isRunning));
      await waitFor(async () => (await ask(`${stack.serviceUrl}/ready`)).body === 'ready\n', START_MS_MAX);
      for (const { status } of await askMany(`${stack.serviceUrl}/v1/spl/deposit`, { body: deposit })) {
        expect(status).toBe(200);
      }
    },
    2 * START_MS_MAX,
  );

  it('leave nothing behind when the supervisor is killed', async () => {
    const pids = [stack.stackPid() as number, ...childrenOf(stack.stackPid())];
    expect(pids).toHaveLength(3);
    // Ended means that nobody holds its output any longer.
    await stack.stop('SIGKILL');
    await waitFor(() => !pids.some(isRunning));
  });
});

describe('two workers that are limited', () => {
  it('count the requests of a client together, and answer what is in flight when all get Ctrl+C', async () => {
    const stack = await startStack(await temporaryFolder(onTestFinished), {
      env: { WORKERS: '2', RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: String(MANY) },
    });
    onTestFinished(() => void stack.child.kill('SIGKILL'));
    const begun = performance.now();
    const half = await openHalfDeposit(stack.serviceUrl);
    const url = `${stack.serviceUrl}/v1/spl/deposit`;
    const answers = [...(await askMany(url, { body: deposit })), ...(await askMany(url, { body: deposit }))];
    const served = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(answers.length - served.length);
    // One may have been taken by the half request, and one is added by each second that passed.
    expect(served.length).toBeGreaterThanOrEqual(MANY - 1);
    expect(served.length).toBeLessThanOrEqual(MANY + Math.ceil((performance.now() - begun) / 1_000));

    const pids = [stack.child.pid as number, stack.stackPid() as number, ...childrenOf(stack.stackPid())];
    for (const pid of pids) process.kill(pid, 'SIGINT');
    await waitFor(() => stack.output().stderr.includes('draining'));
    expect(await half.complete()).toContain('HTTP/1.1 200');
    expect((await stack.ended).code).toBe(0);
    await waitFor(() => !pids.some(isRunning));
  });
});

describe('workers that cannot be had', () => {
  const start = async (env: Record<string, string>) => {
    const folder = await temporaryFolder(onTestFinished);
    const ports = { PORT: '0', LEDGER_RPC_PORT: '0', ROLLUP_RPC_PORT: '0' };
    const ended = await runToEnd(['--reset'], { ...ports, DATA_DIR: `${folder}/data`, WORKERS: '2', ...env });
    return { ...ended, hasLedger: existsSync(`${folder}/data`) };
  };

  it('end the start before a ledger is made when the port is taken', async () => {
    const blocker = createServer();
    blocker.listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    onTestFinished(() => void blocker.close());
    const { port } = blocker.address() as AddressInfo;
    const { code, stderr, hasLedger } = await start({ PORT: String(port) });
    expect([code, hasLedger]).toEqual([78, false]);
    expect(stderr).toContain(`PORT ${port} is in use on 127.0.0.1`);
  });

  it('are given up when they die in a row', async () => {
    const NODE_OPTIONS =
      '--import=data:text/javascript,process.env.SPL_PRIVATE_PAYMENTS_WORKER&&process.kill(process.pid,9)';
    const { code, stdout, stderr, hasLedger } = await start({ NODE_OPTIONS });
    expect([code, stdout, hasLedger]).toEqual([70, '', false]);
    expect(stderr).toMatch(/worker [12] of the tool service died 5 times in a row .* by SIGKILL/);
  });
});

/** What a worker has answered, by what a port tells of all of them. */
function answeredBy(worker: number, metrics: string): number {
  const line = `^http_responses_total{face="service",status="2xx",worker="${worker}"} (\\d+)$`;
  return Number(new RegExp(line, 'm').exec(metrics)?.[1] ?? 0);
}

/**
 * Keep-alive connections, at least one to each worker: a worker that is late with taking its last one is
 * passed over.
 */
async function connectToBoth({ serviceUrl, ledgerUrl }: StackProcess): Promise<Agent[]> {
  const agents: Agent[] = [];
  onTestFinished(() => agents.forEach((agent) => agent.destroy()));
  // The ledger's port, as asking the service's would be an answer of a worker.
  const answered = async (): Promise<number[]> => {
    const { body } = await ask(`${ledgerUrl}/metrics`);
    return WORKERS.map((worker) => answeredBy(worker, body));
  };
  const before = await answered();
  await waitFor(async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    await ask(`${serviceUrl}/health`, { agent });
    return (await answered()).every((count, index) => count > (before[index] as number));
  });
  return agents;
}

/** A deposit of which the end is still to be sent. */
async function openHalfDeposit(url: string): Promise<{ complete(): Promise<string> }> {
  const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const body = JSON.stringify(deposit);
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
