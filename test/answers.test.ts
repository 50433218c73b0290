import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keypair } from '../src/ledger/keypair.ts';
import type { Explanation } from '../src/payments/explain/answer/explanation-schema.ts';
import { explanationSentences } from '../src/payments/explain/answer/sentences.ts';
import { systemRandom } from '../src/ports/random.ts';
import { USDC_MINT } from '../src/programs/addresses.ts';
import { responseSchemaName } from '../src/service/openapi.ts';
import { REST_TABLE } from '../src/service/rest/rest-table.ts';
import { decodeBase58 } from '../src/solana/base58.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../src/solana/message.ts';
import { callsOf, instructionsOf } from './run-operation.ts';
import { callLedger } from './stack-process.ts';
import { FAULTS } from './upstreams/faults.ts';
import { isTool, networkRequests, type PaymentRequest } from './upstreams/payments.ts';
import { type PlayedNetwork, playNetwork } from './upstreams/played-network.ts';
import { findFaults, resolve } from './upstreams/schema-faults.ts';
import type { Answer, ServiceClient } from './upstreams/service-client.ts';
import { signBuilt } from './upstreams/sign-built.ts';
import { networkVariables, startService } from './upstreams/start-service.ts';

/**
 * Whether the service answers as it says it does: by the OpenAPI document, and by the output schemas of its
 * tools.
 */

type Json = Readonly<Record<string, unknown>>;

const mint = USDC_MINT;
const TOKEN = { authorization: 'Bearer of-the-caller' };
const SPONSOR_SEED = systemRandom.bytes(32);
const SPONSOR = new Keypair(SPONSOR_SEED);
const WALLET = new Keypair(systemRandom.bytes(32));
const OTHER = new Keypair(systemRandom.bytes(32)).address;
/** A wallet without any account. */
const NEWCOMER = new Keypair(systemRandom.bytes(32)).address;
const HANDLE = 'payee.example';

let network: PlayedNetwork;
let service: Awaited<ReturnType<typeof startService>>;
let client: ServiceClient;
let document: Json;
let outputSchemas: ReadonlyMap<string, Json>;

beforeAll(async () => {
  network = await playNetwork({
    base: '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR',
    rollup: '4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZAMdL4VZHirAn',
  });
  afterAll(() => network.close());
  for (const owner of [SPONSOR.address, WALLET.address, OTHER]) network.fund(owner);
  network.openPool(HANDLE);
  const sponsorKey = [...SPONSOR_SEED, ...decodeBase58(SPONSOR.address)];
  const env = {
    CLUSTER: 'devnet',
    ...networkVariables('mainnet', network),
    ...networkVariables('devnet', network),
    EPHEMERAL_DEVNET_TEE_RPC_URL: network.rollup.url.href,
    GASLESS_SPONSOR_SECRET_KEY: JSON.stringify(sponsorKey),
  };
  service = await startService(env, afterAll);
  client = service.client;
  document = (await client.get('/doc')).body;
  const listed = await client.post('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  const { tools } = listed.body['result'] as { tools: { name: string; outputSchema: Json }[] };
  outputSchemas = new Map(tools.map(({ name, outputSchema }) => [name, outputSchema]));
});

/** The schema of a member, with references resolved. */
const described = (parent: Json, name: string | number): Json | undefined => {
  const found = parent[name] as Json | undefined;
  const reference = found?.['$ref'];
  return typeof reference === 'string' ? resolve(document, reference) : found;
};

/** The differences between an answer and the OpenAPI document. */
function faultsOf(method: string, path: string, { status, headers, text, body }: Answer): string[] {
  const paths = document['paths'] as Record<string, Record<string, Json>>;
  const response = described(paths[path]?.[method.toLowerCase()]?.['responses'] as Json, status);
  if (response === undefined) return [`status ${status} is not described: ${text}`];
  const type = headers.get('content-type')?.split(';', 1)[0];
  const content = (response['content'] ?? {}) as Record<string, Json>;
  if (type === undefined) return text === '' && response['content'] === undefined ? [] : ['there is no type'];
  const schema = content[type]?.['schema'] as Json | undefined;
  if (schema === undefined) return [`type ${type} is not described`];
  const isJson = type.endsWith('json');
  return findFaults(schema, isJson ? body : text, { root: document, at: '' });
}

/** Asks by REST; the answer must have the status and be as described. */
async function askRest(operation: string, input: object, status = 200): Promise<Json> {
  const { method, path } = REST_TABLE[operation] as (typeof REST_TABLE)[string];
  const answer = await client.rest(operation, input, TOKEN);
  expect([answer.status, answer.text]).toEqual([status, answer.text]);
  expect(faultsOf(method, path, answer)).toEqual([]);
  return answer.body;
}

/** Calls the tool; it must succeed, and the result be as listed and as the document has it. */
async function callTool(operation: string, input: object): Promise<Json> {
  const answer = await client.tool(operation, input, TOKEN);
  const { isError, structuredContent = {}, content } = answer.result;
  expect([isError, content]).toEqual([undefined, content]);
  expect(faultsOf('POST', '/mcp', answer)).toEqual([]);
  expect(findFaults(outputSchemas.get(`spl.${operation}`) as Json, structuredContent)).toEqual([]);
  const inFull = resolve(document, `#/components/schemas/${responseSchemaName(operation)}`);
  expect(findFaults(inFull, structuredContent, { root: document, at: '' })).toEqual([]);
  const told = content.slice(0, -1).map(({ text }) => text);
  if (operation === 'explainTransaction') {
    expect(told).toEqual(explanationSentences(structuredContent as unknown as Explanation));
  } else {
    const [, ...facts] = told;
    expect(facts.flatMap((sentence) => untold(sentence, structuredContent))).toEqual([]);
  }
  return structuredContent;
}

/**
 * What is said of an outcome that a member names: the sentence with its names and numbers left out, and the
 * member.
 */
const RETOLD: Readonly<Record<string, string>> = {
  'Sign it as _ and send it to the base ledger before block height _ has passed.': 'lastValidBlockHeight',
  'Sign each as _ and send it to the base ledger before block height _ has passed.': 'transactions',
  'Sign each as _ and send them to the base ledger in order, each after the previous one is confirmed, and all before block height _ has passed.':
    'transactions',
  'Sign it as _ and send it to the rollup before block height _ has passed.': 'lastValidBlockHeight',
  'Sign setupTransaction as _ and send it to the base ledger before block height _ has passed; then do the same with transactionBase64 on the rollup.':
    'setupTransaction',
  'Simulated on the current ledger, it succeeds with _ compute units.': 'simulation',
  'Mint _ is ready for private transfers on validator _.': 'initialized',
  'A task that pays out its transfers is scheduled, but no account shows whether the validator still runs it.':
    'crank',
  'It is unknown whether a task pays out its transfers. Call spl.ensureTransferQueueCrank to make sure.':
    'crank',
  'The handle "payee.example" has its pool at _.': 'exists',
  'Transaction _ has landed successfully on the base ledger.': 'outcome',
  'It has arrived: all its effects took place when it landed.': 'arrival',
  'Transaction _ was sent to the rollup. The service did not wait for it to land.': 'outcome',
  'Sent transaction _ to the rollup of validator _ for transfer queue _.': 'crankSignature',
};

/** The values in a sentence of a result that are in no member of its structured content; empty if all are. */
function untold(sentence: string, structured: Json): string[] {
  const { notes = [], warnings = [] } = structured as {
    notes?: string[];
    warnings?: { message: string }[];
  };
  const written = [...notes, ...warnings.map(({ message }) => `Before sending: ${message}`)];
  const rest = written.reduce((text, known) => text.replace(known, ''), sentence).trim();
  if (rest === '') return [];
  const known = JSON.stringify(structured);
  const values = rest.match(/[1-9A-HJ-NP-Za-km-z]{32,}|\b\d+\b/g) ?? [];
  const form = rest.replaceAll(/[1-9A-HJ-NP-Za-km-z]{32,}|\b\d+\b/g, '_').replace('_ and _', '_');
  const member = RETOLD[form];
  if (member === undefined) return [rest];
  return structured[member] === undefined ? [form] : values.filter((value) => !known.includes(value));
}

/** Calls both, if there are both; returns the answer of REST. */
async function askBoth({ operation, input }: PaymentRequest): Promise<Json> {
  const output = await askRest(operation, input);
  if (isTool(operation)) {
    const structured = await callTool(operation, input);
    expect(Object.keys(structured)).toEqual(Object.keys(output));
  }
  return output;
}

const REQUESTS = networkRequests({
  owner: WALLET.address,
  other: OTHER,
  amount: '1500000',
  memo: 'A memo',
  handle: HANDLE,
});
const TRANSACTION_OPERATIONS = ['explainTransaction', 'sendTransaction'];

/** Operations that need an upstream of their own; test/swap.test.ts calls them. */
const SWAP_OPERATIONS = ['swap', 'swapQuote'];

describe('on a network', () => {
  it('covers every operation and every tool', () => {
    const operations = new Set([...REQUESTS.map(({ operation }) => operation), ...TRANSACTION_OPERATIONS]);
    const called = [...operations, ...SWAP_OPERATIONS];
    expect(called.toSorted()).toEqual(Object.keys(REST_TABLE).toSorted());
    const tools = called.filter(isTool).map((operation) => `spl.${operation}`);
    expect(tools.toSorted()).toEqual([...outputSchemas.keys()].toSorted());
  });

  it.each(REQUESTS)('$operation answers as described', async (request) => {
    const output = await askBoth(request);
    expect('simulation' in output).toBe('simulate' in request.input);
  });

  it('explaining and sending answer as described', async () => {
    const payment = { from: WALLET.address, to: OTHER, mint, amount: '7', visibility: 'public' };
    const built = await askRest('transfer', { ...payment, cluster: 'devnet' });
    const unsigned = built['transactionBase64'] as string;
    const transactionBase64 = signBuilt(unsigned, WALLET);
    const request = { operation: 'transfer', arguments: payment };
    for (const more of [{}, { request }, { offline: true }, { request, sendTo: 'ephemeral' }]) {
      await askBoth({ operation: 'explainTransaction', input: { transactionBase64: unsigned, ...more } });
    }
    for (const more of [{ sendTo: 'base', confirm: true }, { sendTo: 'ephemeral' }]) {
      await askBoth({ operation: 'sendTransaction', input: { transactionBase64, ...more } });
    }
  });
});

describe('on localnet', () => {
  const cluster = 'localnet';
  const owner = new Keypair(systemRandom.bytes(32));
  const depositor = new Keypair(systemRandom.bytes(32));

  beforeAll(async () => {
    for (const { address } of [owner, depositor]) {
      await callLedger(service.ledgerUrl, 'requestAirdrop', [address, 1_000_000_000]);
      await callLedger(service.ledgerUrl, 'requestTokenAirdrop', [address, mint, 5_000_000]);
    }
  });

  const send = (transactionBase64: string, keypair: Keypair): Promise<Json> =>
    askRest('sendTransaction', {
      transactionBase64: signBuilt(transactionBase64, keypair),
      sendTo: 'base',
      confirm: true,
      cluster,
    });

  it('a deposit, a transfer and a balance answer as described', async () => {
    const deposit = { owner: owner.address, amount: 2_000_000, cluster, initVaultIfMissing: true };
    const built = await askBoth({ operation: 'deposit', input: { ...deposit, simulate: true } });
    expect(built).toMatchObject({ simulation: { status: 'succeeds' } });
    const { transactionBase64 } = built;
    await askBoth({ operation: 'explainTransaction', input: { transactionBase64, cluster } });
    expect(await send(transactionBase64 as string, owner)).toMatchObject({ outcome: 'confirmed' });
    const transfer = { from: owner.address, to: depositor.address, mint, amount: 1, visibility: 'public' };
    await askBoth({ operation: 'transfer', input: { ...transfer, cluster, simulate: true } });
    const balance = { address: owner.address, mint, cluster };
    expect(await askBoth({ operation: 'getBalance', input: balance })).toMatchObject({ balance: '3000000' });
  });

  it('a withdrawal without a delegation answers as described', async () => {
    const deposit = { owner: depositor.address, amount: 2_000_000, cluster, private: false };
    const built = await askRest('deposit', { ...deposit, initVaultIfMissing: true });
    const transactionBase64 = built['transactionBase64'] as string;
    expect(callsOf(transactionBase64).at(-1)).toBe('4');
    const message = compileLegacyMessage({
      feePayer: depositor.address,
      blockhash: decodeBase58(built['recentBlockhash'] as string),
      instructions: instructionsOf(transactionBase64).slice(0, -1),
    });
    const undelegated = Buffer.from(encodeUnsignedTransaction(message)).toString('base64');
    await send(undelegated, depositor);
    const input = { owner: depositor.address, mint, amount: 500_000, cluster, simulate: true };
    const withdrawal = await askBoth({ operation: 'withdraw', input });
    expect(withdrawal).toMatchObject({ simulation: { status: 'succeeds' } });
  });
});

describe('unsuccessful requests', () => {
  const input = { owner: WALLET.address, amount: 1 };

  it.each([
    ['deposit', 422, { owner: 'nobody', amount: -1, more: true }],
    ['deposit', 400, { ...input, cluster: 'moon' }],
    ['deposit', 400, { ...input, mint: OTHER }],
    ['undelegate', 409, { payer: NEWCOMER, mint, cluster: 'devnet' }],
    ['getBalance', 422, { address: WALLET.address }],
    ['getBalance', 400, { address: WALLET.address, mint: OTHER }],
    ['initializeMint', 400, { payer: WALLET.address, mint, cluster: 'localnet' }],
    ['challenge', 400, { pubkey: WALLET.address, cluster: 'devnet' }],
    ['sendTransaction', 422, { transactionBase64: 'AA==', sendTo: 'base' }],
  ])('%s: the status is %i and the answer is as described', async (operation, status, args) => {
    await askRest(operation, args, status);
  });

  it.each(FAULTS)(
    'an upstream that $fault: the status is $status and the answer is as described',
    ({ spoil, status }) =>
      network.base.during('*', spoil, () =>
        askRest('deposit', { ...input, cluster: 'devnet' }, status).then(() => {}),
      ),
  );

  it.each([
    ['truncated JSON', '{', 'application/json', 400],
    ['a list', '[]', 'application/json', 422],
    ['text', '{}', 'text/plain', 415],
    ['too large', `"${'x'.repeat(70_000)}"`, 'application/json', 413],
  ])('a body that is %s is answered as described', async (_, body, type, status) => {
    const answer = await client.post('/v1/spl/deposit', body, { 'content-type': type });
    expect(answer.status).toBe(status);
    expect(faultsOf('POST', '/v1/spl/deposit', answer)).toEqual([]);
  });
});

describe('endpoints other than the operations', () => {
  it.each(['/health', '/mcp', '/.well-known/mcp.json'])('GET %s answers as described', async (path) => {
    const answer = await client.get(path);
    expect(answer.status).toBe(200);
    expect(faultsOf('GET', path, answer)).toEqual([]);
  });

  it.each([
    [200, { jsonrpc: '2.0', id: 1, method: 'ping' }],
    [202, { jsonrpc: '2.0', method: 'notifications/initialized' }],
    [400, { hello: 'world' }],
  ])('POST /mcp answers %i as described', async (status, message) => {
    const answer = await client.post('/mcp', JSON.stringify(message));
    expect(answer.status).toBe(status);
    expect(faultsOf('POST', '/mcp', answer)).toEqual([]);
  });
});
