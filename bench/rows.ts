import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { signTransaction } from '../src/ledger/keypair.ts';
import { TOKEN_PROGRAM, USDC_MINT } from '../src/programs/addresses.ts';
import { deriveAta } from '../src/programs/associated-token.ts';
import { transferLamports } from '../src/programs/system.ts';
import { transferTokens } from '../src/programs/token/instructions.ts';
import { type Address, addressOf } from '../src/solana/address.ts';
import { decodeBase58 } from '../src/solana/base58.ts';
import type { Instruction } from '../src/solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../src/solana/message.ts';
import { isOnCurve } from '../src/solana/pda.ts';
import { type Burst, call, median, rpcText, runBurst, type Target, toolCall } from './load.ts';
import { here, type Listening, MAIN, type Servers, startEcho, startStack, temporaryFolder } from './stack.ts';

/** The environment of a measurement. */
export interface Bench {
  readonly servers: Servers;
  /** Approximate duration of the row, ms. */
  readonly durationMs: number;
  /** Whether to measure the peer, too. */
  readonly withPeer: boolean;
}

/** The figures of this program, the bare echo and the peer, in the same unit. */
export interface Result {
  readonly unit: string;
  readonly ours: number;
  readonly echo?: number;
  readonly peer?: number | undefined;
  /** Throughput and latency of rows under load. */
  readonly load?: Burst;
}

/** A row of the table. */
export interface Row {
  readonly name: string;
  measure(bench: Bench): Promise<Result>;
}

const ROUNDS = 5;
const CONNECTIONS = 32;
const USDC_AMOUNT = 1_000_000;
const ON_DEVNET = { mint: USDC_MINT, cluster: 'devnet' };

const isBuilt = (body: string): boolean => body.includes('"transactionBase64":"');
const holds = (text: string) => (body: string) => body.includes(text);

const INITIALIZE = rpcText('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
});

/** All rows in the order of the table. */
export const ROWS: readonly Row[] = [
  loaded('deposit, localnet', onService(isBuilt, localDeposits), { hasPeer: true }),
  loaded('deposit, cluster', onService(isBuilt, clusterCalls(depositOnDevnet))),
  loaded('balance, cluster', onService(holds('"balance":"'), clusterCalls(balanceOnDevnet))),
  loaded('private transfer, cluster', onService(isBuilt, clusterCalls(transferOnDevnet))),
  loaded('explain', onService(holds('"verdict":"clear"'), explanations)),
  loaded(
    'initialize',
    onService(holds('"serverInfo"'), () => [INITIALIZE]),
    { hasPeer: true },
  ),
  loaded(
    'tools/list',
    onService(holds('"tools":['), () => [rpcText('tools/list')]),
    { hasPeer: true },
  ),
  loaded(
    'getSlot',
    onLedger(holds('"result":'), () => [rpcText('getSlot')]),
  ),
  loaded('simulateTransaction', onLedger(holds('"err":null'), simulations)),
  loaded('sendTransaction', onLedger(holds('"result":"'), transactions, true)),
  loaded('sendTransaction, one client', onLedger(holds('"result":"'), transactions, true), {
    connections: 1,
  }),
  { name: 'start, new ledger', measure: measureStart },
  { name: 'start, same ledger', measure: measureRestart },
  {
    name: 'startLocalnet',
    measure: async (bench) => ({ unit: 'ms', ours: (await runLocalnet(bench)).startMs }),
  },
  { name: 'reset', measure: async (bench) => ({ unit: 'ms', ours: (await runLocalnet(bench)).resetMs }) },
  { name: 'idle CPU', measure: measureIdle },
  { name: 'memory', measure: measureMemory },
  { name: 'CLI start', measure: measureCli },
];

type TargetOf = (servers: Servers, durationMs: number) => Promise<Target>;
type BodiesOf = (servers: Servers, durationMs: number) => readonly string[] | Promise<readonly string[]>;

/** A row that sends requests to the echo, to this program and to the peer in alternating bursts. */
function loaded(
  name: string,
  ours: TargetOf,
  options: { connections?: number; hasPeer?: boolean } = {},
): Row {
  const { connections = CONNECTIONS, hasPeer = false } = options;
  return {
    name,
    measure: async ({ servers, durationMs, withPeer }) => {
      const isCompared = hasPeer && withPeer;
      const burstMs = durationMs / (ROUNDS + 1) / (isCompared ? 3 : 2);
      const target = await ours(servers, burstMs);
      const targets = [target, echoTarget(await servers.echo())];
      if (isCompared) targets.push({ ...target, ...(await servers.peer()) });
      const bursts = targets.map((): Burst[] => []);
      // The first round warms up. It takes twice as long and does not count.
      for (let round = -1; round < ROUNDS; round++) {
        for (const [at, each] of targets.entries()) {
          const burst = await runBurst(each, connections, round < 0 ? 2 * burstMs : burstMs).catch(
            (cause: unknown) => {
              throw new Error(`${name}: ${String(cause)}`, { cause });
            },
          );
          if (round >= 0) bursts[at]?.push(burst);
        }
      }
      const [measured = [], echo = [], peer] = bursts;
      const load = mediansOf(measured);
      return {
        unit: 'us CPU',
        ours: load.cpuMicros,
        echo: mediansOf(echo).cpuMicros,
        peer: peer && mediansOf(peer).cpuMicros,
        load,
      };
    },
  };
}

const mediansOf = (bursts: readonly Burst[]): Burst => ({
  perSecond: median(bursts.map((burst) => burst.perSecond)),
  cpuMicros: median(bursts.map((burst) => burst.cpuMicros)),
  p50Ms: median(bursts.map((burst) => burst.p50Ms)),
  p99Ms: median(bursts.map((burst) => burst.p99Ms)),
});

function echoTarget(echo: Listening): Target {
  const body = JSON.stringify({ pad: 'x'.repeat(1_000), list: [1, 2, 3] });
  return { ...echo, path: '/', bodies: () => [body], accepts: (answer) => answer.length > 1_000 };
}

function onService(accepts: Target['accepts'], bodiesOf: BodiesOf): TargetOf {
  return async (servers, durationMs) => {
    const { server, servicePort: port } = await servers.stack();
    return { server, port, path: '/mcp', accepts, bodies: () => bodiesOf(servers, durationMs) };
  };
}

function onLedger(accepts: Target['accepts'], bodiesOf: BodiesOf, once = false): TargetOf {
  return async (servers, durationMs) => {
    const { server, ledgerPort: port } = await servers.stack();
    return { server, port, path: '/', accepts, once, bodies: () => bodiesOf(servers, durationMs) };
  };
}

/** Repeated deposits of 64 wallets with SOL and USDC. */
async function localDeposits(servers: Servers): Promise<string[]> {
  const wallets = await servers.wallets();
  return wallets.map(({ address }) => toolCall('spl.deposit', { owner: address, amount: USDC_AMOUNT }));
}

/** Wallets created per second of a burst: more than the requests that it can send. */
const CLUSTER_WALLETS_PER_SECOND = 12_000;

/** Calls on the cluster, each with a new wallet. */
function clusterCalls(callOf: (wallet: Address, other: Address) => string): BodiesOf {
  return async (servers, durationMs) => {
    const wallets = newWallets(64 + Math.ceil((CLUSTER_WALLETS_PER_SECOND * durationMs) / 1_000));
    await call(`http://127.0.0.1:${(await servers.upstream()).port}/`, 'fund', wallets);
    return wallets.map((wallet, at) => callOf(wallet, wallets.at(at - 1) ?? wallet));
  };
}

function depositOnDevnet(owner: Address): string {
  return toolCall('spl.deposit', { owner, amount: USDC_AMOUNT, ...ON_DEVNET });
}

function balanceOnDevnet(address: Address): string {
  return toolCall('spl.getBalance', { address, ...ON_DEVNET });
}

function transferOnDevnet(from: Address, to: Address): string {
  return toolCall('spl.transfer', { from, to, amount: USDC_AMOUNT, ...ON_DEVNET });
}

/** Addresses of new wallets. Any point on the curve works, because nothing is signed with them. */
function newWallets(count: number): Address[] {
  const wallets: Address[] = [];
  while (wallets.length < count) {
    const bytes = new Uint8Array(randomBytes(32));
    if (isOnCurve(bytes)) wallets.push(addressOf(bytes));
  }
  return wallets;
}

/** Unsigned token transfers between the wallets, base64, on the newest blockhash. */
async function tokenTransfers(servers: Servers): Promise<string[]> {
  const wallets = await servers.wallets();
  const blockhash = await latestBlockhash(servers);
  const ataAt = (at: number): Address =>
    deriveAta(wallets.at(at % wallets.length)?.address as Address, USDC_MINT, TOKEN_PROGRAM).address;
  return wallets.map(({ address }, at) => {
    const accounts = { source: ataAt(at), destination: ataAt(at + 1), authority: address };
    const message = messageOf(address, blockhash, transferTokens(TOKEN_PROGRAM, accounts, 1n));
    return Buffer.from(encodeUnsignedTransaction(message)).toString('base64');
  });
}

async function explanations(servers: Servers): Promise<string[]> {
  return (await tokenTransfers(servers)).map((transactionBase64) =>
    toolCall('spl.explainTransaction', { transactionBase64, sendTo: 'base' }),
  );
}

async function simulations(servers: Servers): Promise<string[]> {
  const config = { encoding: 'base64', replaceRecentBlockhash: true };
  return (await tokenTransfers(servers)).map((wire) => rpcText('simulateTransaction', [wire, config]));
}

/** Transactions per second of a burst: more than it can send. */
const SENDS_PER_SECOND = 8_000;
/** A counter that makes every transfer of a run unique. */
let lamports = 0n;

/** Signed SOL transfers, each sent once with preflight. */
async function transactions(servers: Servers, durationMs: number): Promise<string[]> {
  const wallets = await servers.wallets();
  const blockhash = await latestBlockhash(servers);
  const count = 64 + Math.ceil((SENDS_PER_SECOND * durationMs) / 1_000);
  return Array.from({ length: count }, (_, at) => {
    const [from, to] = [wallets[at % wallets.length], wallets[(at + 1) % wallets.length]];
    if (from === undefined || to === undefined) throw new Error('there are no wallets');
    const transfer = transferLamports(from.address, to.address, ++lamports);
    const { wire } = signTransaction(messageOf(from.address, blockhash, transfer), [from]);
    return rpcText('sendTransaction', [Buffer.from(wire).toString('base64'), { encoding: 'base64' }]);
  });
}

async function latestBlockhash(servers: Servers): Promise<Uint8Array> {
  const { ledgerUrl } = await servers.stack();
  const { value } = await call<{ value: { blockhash: string } }>(ledgerUrl, 'getLatestBlockhash');
  return decodeBase58(value.blockhash);
}

const messageOf = (feePayer: Address, blockhash: Uint8Array, instruction: Instruction) =>
  compileLegacyMessage({ feePayer, blockhash, instructions: [instruction] });

/** Time from the start of the process, with its supervisor and a new ledger, to its first response. */
function measureStart(bench: Bench): Promise<Result> {
  return compareStarts(bench, temporaryFolder);
}

/** Time from the start to the first response on an existing ledger. */
async function measureRestart(bench: Bench): Promise<Result> {
  const folder = temporaryFolder();
  await timeStart(folder);
  return await compareStarts(bench, () => folder);
}

async function compareStarts({ durationMs }: Bench, folderOf: () => string): Promise<Result> {
  const [ours, echo]: [number[], number[]] = [[], []];
  const endMs = performance.now() + durationMs;
  do {
    ours.push(await timeStart(folderOf()));
    const startMs = performance.now();
    const { server, port } = await startEcho(null);
    await call(`http://127.0.0.1:${port}/`, 'getHealth');
    echo.push(performance.now() - startMs);
    await server.stop();
  } while (performance.now() < endMs);
  return { unit: 'ms', ours: median(ours), echo: median(echo) };
}

async function timeStart(folder: string): Promise<number> {
  const startMs = performance.now();
  const { server, ledgerUrl } = await startStack({}, folder, true);
  await call(ledgerUrl, 'getHealth');
  const tookMs = performance.now() - startMs;
  await server.stop();
  return tookMs;
}

/** Starts a localnet in a separate process. Returns the medians of its start and its resets, ms. */
async function runLocalnet({ durationMs }: Bench): Promise<{ startMs: number; resetMs: number }> {
  const { status, stdout } = spawnSync(process.execPath, [here('localnet.mjs'), String(durationMs)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`localnet.mjs ended with ${status}`);
  return JSON.parse(stdout) as { startMs: number; resetMs: number };
}

/** Delay before a new process counts as idle, ms. */
const SETTLING_MS = 2_000;

/** CPU time per second of a new process without requests. */
async function measureIdle({ durationMs }: Bench): Promise<Result> {
  const { server: stack } = await startStack();
  const { server: echo } = await startEcho();
  await sleep(Math.min(SETTLING_MS, durationMs));
  const perSecond = await Promise.all(
    [stack, echo].map(async ({ cpuMs }) => {
      const before = cpuMs();
      await sleep(durationMs);
      return ((cpuMs() - before) * 1_000) / durationMs;
    }),
  );
  await Promise.all([stack.stop(), echo.stop()]);
  return { unit: 'ms CPU/s', ours: Number(perSecond[0]), echo: Number(perSecond[1]) };
}

/** Resident memory after each process has answered requests for a third of the time. */
async function measureMemory({ servers, durationMs, withPeer }: Bench): Promise<Result> {
  const { server, servicePort: port } = await startStack();
  const echo = await startEcho();
  const peer = withPeer ? await servers.peer() : undefined;
  const bodies = newWallets(CONNECTIONS).map((owner) =>
    toolCall('spl.deposit', { owner, amount: USDC_AMOUNT, initVaultIfMissing: true }),
  );
  const target = { server, port, path: '/mcp', bodies: () => bodies, accepts: isBuilt };
  for (const each of [target, echoTarget(echo), ...(peer ? [{ ...target, ...peer }] : [])]) {
    await runBurst(each, CONNECTIONS, durationMs / 3);
  }
  const result = {
    unit: 'MiB',
    ours: server.residentMiB(),
    echo: echo.server.residentMiB(),
    peer: peer?.server.residentMiB(),
  };
  await Promise.all([server.stop(), echo.server.stop()]);
  return result;
}

/** Duration of `spp --version`, compared to `node` with an empty program. */
async function measureCli({ durationMs }: Bench): Promise<Result> {
  const [ours, echo]: [number[], number[]] = [[], []];
  const endMs = performance.now() + durationMs;
  do {
    ours.push(timeRun([MAIN, '--version']));
    echo.push(timeRun(['--eval', '0']));
  } while (performance.now() < endMs);
  return { unit: 'ms', ours: median(ours), echo: median(echo) };
}

function timeRun(args: readonly string[]): number {
  const startMs = performance.now();
  const { status } = spawnSync(process.execPath, args);
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
  return performance.now() - startMs;
}
