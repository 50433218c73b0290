/**
 * A hostile client in a process of its own: told by its arguments the URLs of service and ledger and a seed,
 * it does everything at once, from an address of its own (127.0.0.2), until its parent says that it is over,
 * and then sends how often it did what.
 */
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { Keypair, signTransaction } from '../../src/ledger/keypair.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import type { Address } from '../../src/solana/address.ts';
import { decodeBase58 } from '../../src/solana/base58.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { compileLegacyMessage } from '../../src/solana/message.ts';
import { call, rpcText } from '../call.ts';
import { portOf } from '../stack.ts';

const [serviceUrl = '', ledgerUrl = '', seed = ''] = process.argv.slice(2);

/** Another address of the loopback network, so that limits for each client do not stop the quiet one. */
const LOCAL_ADDRESS = '127.0.0.2';
const SILENT_SOCKETS = 700;
const SLOW_BODIES = 30;
const SUBSCRIBERS = 40;
const BURST = 100;
const BATCH = 50;

const random = new SeededRandom(seed);
const agent = new Agent({ keepAlive: true, maxSockets: 64, localAddress: LOCAL_ADDRESS });
const counts: Record<string, number> = {};
const over = new AbortController();

function count(what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

/** Resolves once it is answered in full, or has failed, or was abandoned after `patienceMs`. */
function post(url: string, body: string, patienceMs = 30_000): Promise<void> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { agent, method: 'POST', headers }, (answer) => {
      count(`answers ${answer.statusCode}`);
      answer.resume().on('close', resolve);
    });
    sent.on('error', () => resolve()).end(body);
    const timer = setTimeout(() => sent.destroy(), patienceMs);
    sent.on('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/**
 * Opens a socket, says `greeting` and then a byte a second where it is `slow`; opens another once it is
 * closed.
 */
async function hold(url: string, greeting: string, slow: boolean): Promise<void> {
  while (!over.signal.aborted) {
    const socket = connect({ port: portOf(url), host: '127.0.0.1', localAddress: LOCAL_ADDRESS });
    count(slow ? 'slow bodies' : 'silent sockets');
    socket.on('error', () => {}).write(greeting);
    const timer = slow ? setInterval(() => socket.write(' '), 1_000) : undefined;
    await new Promise((resolve) => socket.on('close', resolve).resume());
    clearInterval(timer);
    await sleep(100);
  }
}

async function subscribe(): Promise<void> {
  while (!over.signal.aborted) {
    const socket = new WebSocket(ledgerUrl.replace('http', 'ws'), { localAddress: LOCAL_ADDRESS });
    count('subscribers that do not read');
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

const addresses = (length: number): string[] => Array.from({ length }, () => USDC_MINT);

/** What is done again and again, one after the other in each of its lanes. */
const KINDS: Readonly<Record<string, () => Promise<unknown>>> = {
  'program scans': () =>
    post(ledgerUrl, rpcText('getProgramAccounts', [TOKEN_PROGRAM, { encoding: 'jsonParsed' }])),
  'account scans': () =>
    post(ledgerUrl, rpcText('getMultipleAccounts', [addresses(100), { encoding: 'jsonParsed' }])),
  bursts: () => Promise.all(Array.from({ length: BURST }, () => post(ledgerUrl, rpcText('getHealth')))),
  batches: () => {
    const one = rpcText('getMultipleAccounts', [addresses(20), { encoding: 'jsonParsed' }]);
    return post(ledgerUrl, `[${Array.from({ length: BATCH }, () => one).join(',')}]`);
  },
  'invalid JSON': () => post(ledgerUrl, Buffer.from(random.bytes(2_000)).toString('latin1')),
  'invalid calls of a tool': () => post(`${serviceUrl}/mcp`, '{"jsonrpc":"2.0","id":1,"method":"tools/call"'),
  'abandoned answers': () =>
    post(ledgerUrl, rpcText('getProgramAccounts', [TOKEN_PROGRAM]), random.integer(20)),
  'accounts made by the faucet': () =>
    post(
      ledgerUrl,
      rpcText('requestTokenAirdrop', ['11111111111111111111111111111111', USDC_MINT, 1 + random.integer(9)]),
    ),
};

async function repeat(kind: string, act: () => Promise<unknown>): Promise<void> {
  while (!over.signal.aborted) {
    count(kind);
    await act();
    await sleep(random.integer(10));
  }
}

/**
 * The largest account there can be (Agave `MAX_PERMITTED_DATA_LENGTH`), bytes, and more than its rent,
 * lamports.
 */
const LARGEST_BYTES = 10 * 1_024 * 1_024;
const RENT_LAMPORTS = 73_000_000_000n;

/**
 * Makes the largest accounts there are, by transactions, until the ledger is full, and goes on asking for
 * more.
 */
async function fillWithLargest(): Promise<void> {
  const payer = new Keypair(random.bytes(32));
  const lamports = 1_000_000_000_000_000;
  await post(ledgerUrl, rpcText('requestAirdrop', [payer.address, lamports]));
  while (!over.signal.aborted) {
    const made = new Keypair(random.bytes(32));
    const latest = await call<{ value: { blockhash: string } }>(ledgerUrl, 'getLatestBlockhash');
    const message = compileLegacyMessage({
      feePayer: payer.address,
      blockhash: decodeBase58(latest.value.blockhash),
      instructions: [createLargest(payer.address, made.address)],
    });
    const { wire } = signTransaction(message, [payer, made]);
    const options = { encoding: 'base64', skipPreflight: true };
    count('accounts of 10 MiB');
    await post(ledgerUrl, rpcText('sendTransaction', [Buffer.from(wire).toString('base64'), options]));
    await sleep(random.integer(1_000));
  }
}

/** System `CreateAccount`: u32 0, u64 lamports, u64 bytes, owner. */
function createLargest(payer: Address, made: Address): Instruction {
  const data = Buffer.alloc(52);
  data.writeBigUInt64LE(RENT_LAMPORTS, 4);
  data.writeBigUInt64LE(BigInt(LARGEST_BYTES), 12);
  const accounts = [payer, made].map((address) => ({ address, signer: true, writable: true }));
  return { programId: SYSTEM_PROGRAM, accounts, data };
}

const head =
  'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{';
for (const url of [serviceUrl, ledgerUrl]) {
  for (let number = 0; number < SILENT_SOCKETS; number++) void hold(url, '', false);
  for (let number = 0; number < SLOW_BODIES; number++) void hold(url, head, true);
}
void fillWithLargest().catch(() => count('ended early: accounts of 10 MiB'));
for (let number = 0; number < SUBSCRIBERS; number++) void subscribe();
for (const [kind, act] of Object.entries(KINDS)) for (let lane = 0; lane < 2; lane++) void repeat(kind, act);
process.once('message', () => {
  over.abort();
  process.send?.(counts, () => process.exit());
});
process.once('disconnect', () => process.exit());
