import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import { call, rpcText } from '../call.ts';
import { prepareWorkload } from '../cases.ts';
import { startFloor } from '../floor.ts';
import { connectAll, postOf, sendAll } from '../load.ts';
import { inScope } from '../scope.ts';
import type { Section, Settings } from '../section.ts';
import { here, portOf, readyPort, startStack } from '../stack.ts';
import { percentile } from '../statistics.ts';
import { markdown } from '../table.ts';
import { newWallet } from '../wallet.ts';
import { fillLedger, FILLED } from './filled-ledger.ts';

const MIB = 1_024 * 1_024;
/**
 * The largest account there can be (Agave `MAX_PERMITTED_DATA_LENGTH`), and some that are large together,
 * bytes.
 */
const LARGEST_BYTES = 10 * MIB;
const LARGE_BYTES = MIB;
const LARGE_COUNT = 60;

/** Bodies of surfnet_setAccount have two hexadecimal digits for a byte. */
const REQUEST_BYTES_MAX = 2 * LARGEST_BYTES + 4_096;

/** Long enough for what takes seconds to be asked twice, ms. */
const NOISE_MS = 3_000;
/** The noise is under way by then, and the compiler done, ms. */
const SETTLING_MS = 1_000;

/** What one client asks for, all the time, while another asks for the slot, one call at a time. */
interface Noise {
  readonly name: string;
  readonly body: string;
  readonly connections: number;
  readonly pipelined?: number;
}

/** What a client that asks little feels of one that asks much. */
export const room: Section = {
  name: 'room',
  title: `getSlot, one at a time, beside a noisy client of another address; ${FILLED.accounts} accounts`,
  run: (settings) =>
    inScope(async ({ keep, folder }) => {
      const path = await folder();
      cpSync(fillLedger().folder, path, { recursive: true });
      const env = { LEDGER_REQUEST_BYTES_MAX: String(REQUEST_BYTES_MAX) };
      const ours = keep(await startStack(path, env));
      const noises = await noisesOn(ours.ledgerUrl);
      const rows = await floorRows(settings);
      const asked = { port: portOf(ours.ledgerUrl), body: rpcText('getSlot') };
      const alone = await listen(asked, undefined, settings);
      rows.push(rowOf('nobody', alone, alone));
      for (const noise of noises) rows.push(rowOf(noise.name, await listen(asked, noise, settings), alone));
      return { text: markdown(rows) };
    }),
};

/**
 * What bare node:http does with the same: on a machine of few cores the clients wait for theirs as well, and
 * a server that knows no client from another answers in the order in which requests come.
 */
async function floorRows(settings: Settings): Promise<Record<string, string>[]> {
  const floor = await startFloor();
  try {
    const asked = { port: readyPort(floor), body: JSON.stringify({ result: 0 }) };
    const alone = await listen(asked, undefined, settings);
    const noise = { name: 'bare node:http, 64 pipelined', body: asked.body, connections: 1, pipelined: 64 };
    const beside = await listen(asked, noise, settings);
    return [rowOf('bare node:http, nobody', alone, alone), rowOf(noise.name, beside, alone)];
  } finally {
    await floor.stop();
  }
}

/** Where the quiet client asks, and what. */
interface Asked {
  readonly port: number;
  readonly body: string;
}

interface Heard {
  readonly latenciesMs: readonly number[];
  /** getSlot that was refused. */
  readonly failures: number;
  readonly noise?: { readonly answers: number; readonly refusals: number; readonly bytes: number };
  readonly noisySeconds: number;
}

async function listen(
  { port, body }: Asked,
  noise: Noise | undefined,
  { roundMs }: Settings,
): Promise<Heard> {
  const started = performance.now();
  const child = noise && (await startNoise(port, noise));
  await sleep(SETTLING_MS);
  const deadline = performance.now() + Math.max(NOISE_MS, roundMs);
  const request = {
    wire: postOf('/', body),
    accepts: (answer: { readonly body: string }) => answer.body.includes('"result"'),
  };
  const { latenciesMs, failures } = await sendAll(await connectAll(port, 1), () =>
    performance.now() < deadline ? request : undefined,
  );
  const noisySeconds = (performance.now() - started) / 1_000;
  return { latenciesMs, failures, noisySeconds, ...(child && { noise: await stopNoise(child) }) };
}

async function startNoise(port: number, { body, connections, pipelined = 1 }: Noise): Promise<ChildProcess> {
  const child = fork(here('ledger/noise.mjs'));
  await once(child, 'message');
  child.send({ port, body, connections, pipelined });
  return child;
}

async function stopNoise(child: ChildProcess): Promise<NonNullable<Heard['noise']>> {
  child.send('stop');
  const [counts] = (await once(child, 'message')) as [NonNullable<Heard['noise']>];
  return counts;
}

function rowOf(
  name: string,
  { latenciesMs, failures, noise, noisySeconds }: Heard,
  alone: Heard,
): Record<string, string> {
  const p99 = percentile(latenciesMs, 0.99);
  const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
  return {
    'beside it': name,
    'p50 ms': ms(percentile(latenciesMs, 0.5)),
    'p99 ms': ms(p99),
    'to alone': `${(p99 / percentile(alone.latenciesMs, 0.99)).toFixed(1)}x`,
    'longest ms': ms(Math.max(...latenciesMs)),
    'getSlot/s': (latenciesMs.length / (NOISE_MS / 1_000)).toFixed(0),
    refused: String(failures),
    'its answers/s': noise === undefined ? '' : (noise.answers / noisySeconds).toFixed(1),
    'of them errors': noise === undefined ? '' : String(noise.refusals),
    'MiB/s': noise === undefined ? '' : (noise.bytes / MIB / noisySeconds).toFixed(0),
  };
}

async function noisesOn(url: string): Promise<readonly Noise[]> {
  const largest = await putAccount(url, LARGEST_BYTES);
  const large: string[] = [];
  for (let i = 0; i < LARGE_COUNT; i++) large.push(await putAccount(url, LARGE_BYTES));
  const { transfers } = await prepareWorkload(url);
  const simulation = [transfers[0], { encoding: 'base64', replaceRecentBlockhash: true }];
  const firstSlot = await call<number>(url, 'getFirstAvailableBlock');
  const slot = await call<number>(url, 'getSlot');
  const one = (name: string, method: string, params: unknown, connections = 1): Noise => ({
    name: connections === 1 ? name : `${name}, ${connections} at once`,
    body: rpcText(method, params),
    connections,
  });
  const scan = (config: object): unknown => [TOKEN_PROGRAM, config];
  const full = await fullestBlock(url, firstSlot, slot);
  return [
    one(
      'getProgramAccounts, none found',
      'getProgramAccounts',
      scan({ encoding: 'base64', filters: [{ dataSize: 166 }] }),
    ),
    one(
      'getProgramAccounts, no data',
      'getProgramAccounts',
      scan({ encoding: 'base64', dataSlice: { offset: 0, length: 0 } }),
    ),
    one('getProgramAccounts, base64', 'getProgramAccounts', scan({ encoding: 'base64' })),
    one('getProgramAccounts, base64', 'getProgramAccounts', scan({ encoding: 'base64' }), 12),
    one('getProgramAccounts, jsonParsed', 'getProgramAccounts', scan({ encoding: 'jsonParsed' })),
    one('getProgramAccounts, jsonParsed', 'getProgramAccounts', scan({ encoding: 'jsonParsed' }), 12),
    one('getLargestAccounts', 'getLargestAccounts', []),
    one('getTokenLargestAccounts', 'getTokenLargestAccounts', [USDC_MINT]),
    one('getSupply', 'getSupply', []),
    one('getAccountInfo of 10 MiB, base64', 'getAccountInfo', [largest, { encoding: 'base64' }]),
    one('getAccountInfo of 10 MiB, base64+zstd', 'getAccountInfo', [largest, { encoding: 'base64+zstd' }]),
    one('getAccountInfo of 10 MiB, jsonParsed', 'getAccountInfo', [largest, { encoding: 'jsonParsed' }]),
    one(`getMultipleAccounts, 40 of 1 MiB`, 'getMultipleAccounts', [
      large.slice(0, 40),
      { encoding: 'base64' },
    ]),
    one(`getMultipleAccounts, 60 of 1 MiB, refused`, 'getMultipleAccounts', [large, { encoding: 'base64' }]),
    one('getBlock, full', 'getBlock', [full.slot, { encoding: 'json', maxSupportedTransactionVersion: 0 }]),
    one(`getBlock of ${full.transactions}, jsonParsed`, 'getBlock', [
      full.slot,
      { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0 },
    ]),
    one('getBlocks', 'getBlocks', [firstSlot]),
    one('getSignaturesForAddress, 1000', 'getSignaturesForAddress', [SYSTEM_PROGRAM]),
    { ...one('getSlot', 'getSlot', []), name: 'getSlot, 64 pipelined', pipelined: 64 },
    one('getSlot', 'getSlot', [], 32),
    { ...one('simulateTransaction', 'simulateTransaction', simulation, 64), pipelined: 4 },
  ];
}

async function putAccount(url: string, bytes: number): Promise<string> {
  const address = newWallet();
  const data = 'a5'.repeat(bytes);
  await call(url, 'surfnet_setAccount', [address, { lamports: 100_000_000_000, data }]);
  return address;
}

/** The block with most transactions among some of a ledger that was filled in process. */
async function fullestBlock(
  url: string,
  first: number,
  last: number,
): Promise<{ slot: number; transactions: number }> {
  let fullest = { slot: first, transactions: -1 };
  for (let slot = first; slot < last; slot++) {
    const config = { transactionDetails: 'signatures', rewards: false };
    const { signatures } = await call<{ signatures: string[] }>(url, 'getBlock', [slot, config]).catch(
      () => ({ signatures: [] }),
    );
    if (signatures.length > fullest.transactions) fullest = { slot, transactions: signatures.length };
    if (slot - first > 400) break;
  }
  return fullest;
}
