import { beforeAll, describe, expect, it } from 'vitest';
import { Keypair } from '../src/ledger/keypair.ts';
import { systemRandom } from '../src/ports/random.ts';
import { decodeBase58, encodeBase58 } from '../src/solana/base58.ts';
import { folderOfFile } from './folders.ts';
import { type Exit, startStack } from './stack-process.ts';
import { rpcError } from './upstreams/faults.ts';
import { MarkedCaller, type Marks, newMark, type RecordedExchange } from './upstreams/marked-caller.ts';
import { type PlayedNetwork, playNetwork } from './upstreams/played-network.ts';
import { LOGIN_TOKEN, type ReceivedCall } from './upstreams/played-node.ts';
import { ServiceClient } from './upstreams/service-client.ts';

/**
 * Secrets of callers and the operator must not leave the built program. Every request carries its own marks,
 * and everything the program writes and answers is searched for all of them.
 */

/** The places for keys in upstream URLs. */
const IN_URLS = {
  user: newMark('user'),
  password: newMark('password'),
  path: newMark('path'),
  query: newMark('query'),
};

const SPONSOR_SEED = systemRandom.bytes(32);
const SPONSOR = new Keypair(SPONSOR_SEED);
const SPONSOR_KEY = Buffer.concat([SPONSOR_SEED, decodeBase58(SPONSOR.address)]);

/** The forms in which a key might be written. */
const SPONSOR_SECRETS = {
  numbers: [...SPONSOR_SEED].join(','),
  hex: Buffer.from(SPONSOR_SEED).toString('hex'),
  base64: Buffer.from(SPONSOR_SEED).toString('base64').slice(0, 40),
  base58: encodeBase58(SPONSOR_SEED),
  keyBase58: encodeBase58(SPONSOR_KEY),
};

let network: PlayedNetwork;
let exchanges: readonly RecordedExchange[];
let received: readonly ReceivedCall[];
let exit: Exit;

beforeAll(async () => {
  network = await playNetwork({
    base: '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR',
    rollup: '4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZAMdL4VZHirAn',
  });
  const { base, rollup } = network;
  network.fund(SPONSOR.address);
  const stack = await startStack(await folderOfFile(), { env: environment(network) });
  const client = new ServiceClient(stack.serviceUrl);
  const caller = new MarkedCaller(client, network);

  await caller.sendAll('healthy');
  await caller.sendSigned('healthy');
  // Upstreams repeat in their errors what they were asked, and where.
  const words = `no key ${IN_URLS.query} of ${IN_URLS.user} at ${base.url.href}${IN_URLS.path}`;
  for (const code of [-32_602, -32_005]) {
    const spoil = rpcError(code, words);
    await base.during('*', spoil, () => rollup.during('*', spoil, () => caller.sendAll('refused')));
  }
  for (const code of [-32_003, -32_005]) {
    const method = 'sendTransaction';
    const spoil = rpcError(code, words);
    await base.during(method, spoil, () => rollup.during(method, spoil, () => caller.sendSigned('refused')));
  }
  await caller.sendFaulty();
  await caller.sendLocally(stack.ledgerUrl);
  await network.close();
  await caller.sendByBoth('getBalance, refused,', 'getBalance', ({ owner: address, other: mint }) => ({
    address,
    mint,
  }));
  for (const path of ['/health', '/doc', '/reference', '/mcp', '/.well-known/mcp.json', '/metrics']) {
    await caller.send(`GET ${path}`, () => client.get(path));
  }
  exchanges = caller.exchanges;
  received = [...base.calls, ...rollup.calls];
  exit = await stack.stop();
});

function environment({ base, rollup }: PlayedNetwork): Record<string, string> {
  const { user, password, path, query } = IN_URLS;
  const [baseUrl, rollupUrl] = [base, rollup].map(
    ({ url }) => `http://${user}:${password}@${url.host}/${path}/?api-key=${query}`,
  ) as [string, string];
  return {
    LOG_LEVEL: 'info',
    ACCESS_LOG: 'on',
    CLUSTER: 'devnet',
    BASE_RPC_URL: baseUrl,
    EPHEMERAL_RPC_URL: rollupUrl,
    BASE_DEVNET_RPC_URL: baseUrl,
    EPHEMERAL_DEVNET_RPC_URL: rollupUrl,
    EPHEMERAL_DEVNET_TEE_RPC_URL: rollupUrl,
    GASLESS_SPONSOR_SECRET_KEY: JSON.stringify([...SPONSOR_KEY]),
  };
}

/** The secrets of the operator. */
const operatorSecrets = (): Record<string, string> => ({
  ...IN_URLS,
  ...SPONSOR_SECRETS,
  baseHost: network.base.url.host,
  rollupHost: network.rollup.url.host,
});

/** The parts of a request that its answer may repeat. */
const repeatable = ({ owner, other, amount, memo, handle, idempotencyKey, requestId }: Marks) => ({
  owner,
  other,
  amount,
  figure: `${amount.slice(0, -6)}.${amount.slice(-6)}`,
  memo,
  handle,
  idempotencyKey,
  requestId,
});

/** The names of the marks that are in a text. */
const findMarks = (text: string, marks: Readonly<Record<string, string>>): string[] =>
  Object.keys(marks).filter((name) => text.includes(marks[name] as string));

const written = (): string => exit.stdout + exit.stderr;

describe('the planted secrets', () => {
  it('have been accepted and rejected by every operation', () => {
    const failures = exchanges.filter(({ label, isError }) => label.includes('healthy') && isError);
    expect(failures.map(({ label, text }) => [label, text])).toEqual([]);
    const successes = exchanges.filter(({ label, isError }) => label.includes('refused,') && !isError);
    expect(successes.map(({ label }) => label)).toEqual([]);
  });

  it('have been sent upstream', () => {
    const urls = received.map(({ url }) => url).join('\n');
    expect(urls).toContain(`/${IN_URLS.path}/?api-key=${IN_URLS.query}`);
    const basic = `Basic ${Buffer.from(`${IN_URLS.user}:${IN_URLS.password}`).toString('base64')}`;
    expect(received.every(({ authorization }) => authorization === basic)).toBe(true);
    expect(exchanges.some(({ marks }) => urls.includes(marks.token))).toBe(true);
  });

  it('include tokens sent to the rollup and never to the base ledger', () => {
    const urls = network.base.calls.map(({ url }) => url).join('\n');
    expect(exchanges.filter(({ marks }) => urls.includes(marks.token))).toEqual([]);
  });

  it('appear in answers that may contain them', () => {
    const seen = exchanges.flatMap(({ text, marks }) => findMarks(text, repeatable(marks)));
    const allowed = ['owner', 'other', 'amount', 'figure', 'memo', 'handle', 'requestId'];
    expect(new Set(seen)).toEqual(new Set(allowed));
  });

  it('made the program write to its log', () => {
    expect(exit.code).toBe(0);
    expect(exit.stderr).toContain('upstream failed');
  });
});

describe('the program never reveals', () => {
  it('keys and upstream URLs of the operator', () => {
    const secrets = operatorSecrets();
    const leaks = exchanges.flatMap(({ label, text }) =>
      findMarks(text, secrets).map((name) => [label, name]),
    );
    expect(leaks).toEqual([]);
    expect(findMarks(written(), secrets)).toEqual([]);
  });

  it('tokens of callers, except in the answer to a login', () => {
    const tokens = Object.fromEntries(exchanges.map(({ label, marks }) => [label, marks.token]));
    const all = { ...tokens, given: LOGIN_TOKEN };
    const leaks = exchanges.flatMap(({ label, text }) =>
      findMarks(text, label.startsWith('login, healthy') ? tokens : all).map((name) => [label, name]),
    );
    expect(leaks).toEqual([]);
    expect(findMarks(written(), all)).toEqual([]);
  });

  it('anything from one request in the answer to another', () => {
    const leaks = exchanges.flatMap(({ label, text, marks }) =>
      exchanges
        .filter((other) => other.marks !== marks)
        .flatMap((other) =>
          findMarks(text, repeatable(other.marks)).map((name) => [label, name, other.label]),
        ),
    );
    expect(leaks).toEqual([]);
  });

  it('anything from a request in its logs, except the id', () => {
    const leaks = exchanges.flatMap(({ label, marks }) => {
      const { requestId: _id, ...others } = repeatable(marks);
      return findMarks(written(), others).map((name) => [label, name]);
    });
    expect(leaks).toEqual([]);
  });
});
