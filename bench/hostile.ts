/**
 * A hostile client in a separate process: `hostile.ts SERVICE_PORT LEDGER_PORT`. Attacks in every way at once
 * from 127.0.0.2 until its parent disconnects, and sends the counts to its parent.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { TOKEN_PROGRAM, USDC_MINT } from '../src/programs/addresses.ts';
import { rpcText } from './load.ts';

const [servicePort = 0, ledgerPort = 0] = process.argv.slice(2).map(Number);

/** Another loopback address, because limits per client must not affect the quiet client. */
const LOCAL_ADDRESS = '127.0.0.2';
const SILENT_SOCKETS = 700;
const SLOW_BODIES = 30;
const SUBSCRIBERS = 40;
const PATIENCE_MS = 30_000;

const agent = new Agent({ keepAlive: true, maxSockets: 64, localAddress: LOCAL_ADDRESS });
const counts: Record<string, number> = {};

function count(what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

/** Sends a request. Resolves after the response, a failure, or `patienceMs`. */
function post(port: number, body: string, path = '/', patienceMs = PATIENCE_MS): Promise<void> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request({ host: '127.0.0.1', port, path, agent, method: 'POST', headers }, (answer) => {
      count(`answers ${answer.statusCode}`);
      answer.resume();
    });
    const timer = setTimeout(() => sent.destroy(), patienceMs);
    sent
      .on('error', () => {})
      .on('close', () => {
        clearTimeout(timer);
        resolve();
      })
      .end(body);
  });
}

const HEAD =
  'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{';

/** Keeps a socket open, silent or sending one byte per second. Opens another when it closes. */
async function holdSocket(port: number, isSlow: boolean): Promise<void> {
  for (;;) {
    count(isSlow ? 'slow bodies' : 'silent sockets');
    const socket = connect({ port, host: '127.0.0.1', localAddress: LOCAL_ADDRESS }).on('error', () => {});
    if (isSlow) socket.write(HEAD);
    const timer = isSlow ? setInterval(() => socket.write(' '), 1_000) : undefined;
    await new Promise((resolve) => socket.on('close', resolve).resume());
    clearInterval(timer);
    await sleep(100);
  }
}

/** Subscribes and never reads the notifications. */
async function subscribe(): Promise<void> {
  for (;;) {
    count('subscribers');
    const socket = new WebSocket(`ws://127.0.0.1:${ledgerPort}`, { localAddress: LOCAL_ADDRESS });
    socket
      .on('error', () => {})
      .on('open', () => {
        socket.send(rpcText('slotSubscribe'));
        socket.send(rpcText('programSubscribe', [TOKEN_PROGRAM, { encoding: 'jsonParsed' }]));
        socket.pause();
      });
    await new Promise((resolve) => socket.on('close', resolve));
    await sleep(100);
  }
}

const readOf = (length: number): string =>
  rpcText('getMultipleAccounts', [Array(length).fill(USDC_MINT), { encoding: 'jsonParsed' }]);
const scan = rpcText('getProgramAccounts', [TOKEN_PROGRAM, { encoding: 'jsonParsed' }]);

/** Attacks that are repeated, each in two parallel loops. */
const KINDS: Readonly<Record<string, () => Promise<unknown>>> = {
  'program scans': () => post(ledgerPort, scan),
  'abandoned scans': () => post(ledgerPort, scan, '/', randomInt(20)),
  'large reads': () => post(ledgerPort, readOf(100)),
  batches: () => post(ledgerPort, `[${Array(50).fill(readOf(20)).join(',')}]`),
  bursts: () => Promise.all(Array.from({ length: 100 }, () => post(ledgerPort, rpcText('getHealth')))),
  'invalid JSON': () => post(ledgerPort, randomBytes(2_000).toString('latin1')),
  'invalid tool calls': () => post(servicePort, '{"jsonrpc":"2.0","id":1,"method":"tools/call"', '/mcp'),
  'new accounts': () =>
    post(ledgerPort, rpcText('requestTokenAirdrop', ['11111111111111111111111111111111', USDC_MINT, 1])),
};

async function repeat(kind: string, act: () => Promise<unknown>): Promise<void> {
  for (;;) {
    count(kind);
    await act();
    await sleep(randomInt(10));
  }
}

for (const port of [servicePort, ledgerPort]) {
  for (let at = 0; at < SILENT_SOCKETS; at++) void holdSocket(port, false);
  for (let at = 0; at < SLOW_BODIES; at++) void holdSocket(port, true);
}
for (let at = 0; at < SUBSCRIBERS; at++) void subscribe();
for (const [kind, act] of Object.entries(KINDS)) for (const _ of [1, 2]) void repeat(kind, act);
process.once('message', () => process.send?.(counts));
process.once('disconnect', () => process.exit());
