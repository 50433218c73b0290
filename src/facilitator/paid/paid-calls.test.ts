import { compactVerify, importJWK } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  buildOperation,
  readOperation,
  refusingOperation,
} from '../../../test/conformance/fixture-operations.ts';
import { type Answer, HttpClient } from '../../../test/conformance/http-client.ts';
import { startService } from '../../../test/conformance/running-service.ts';
import { Clusters } from '../../chain/clusters.ts';
import type { HttpServer } from '../../http/server.ts';
import { Authorizer } from '../../service/auth/authorize.ts';
import { TableBudgetStore } from '../../payments/fees/budget-store.ts';
import { systemClock } from '../../ports/clock.ts';
import { silentLogger } from '../../ports/logger.ts';
import { systemRandom } from '../../ports/random.ts';
import { MemoryTables } from '../../ports/tables.ts';
import { PaymentFollower } from '../../settlement/payment-follower.ts';
import { systemTimer } from '../../ports/timer.ts';
import { USDC_MINT } from '../../programs/addresses.ts';
import { addMemo } from '../../programs/memo.ts';
import type { Operation } from '../../payments/operation.ts';
import { Facilitator } from '../facilitator.ts';
import { TablePaymentStore } from '../../settlement/payment-store.ts';
import { Settlement } from '../settlement.ts';
import { decodeBase58, encodeBase58 } from '../../solana/base58.ts';
import { FacilitatorScene, NETWORK, PRICE, setComputeUnitPrice } from '../testing/facilitator-scene.ts';
import { setComputeUnitLimit } from '../../programs/compute-budget.ts';
import { Challenges } from './challenges.ts';
import { createTill } from './till.ts';

type Members = Record<string, unknown>;

interface Issued {
  readonly id: string;
  readonly request: {
    readonly externalId: string;
    readonly methodDetails: { readonly recentBlockhash: string };
  };
}

const BODY = { owner: '11111111111111111111111111111111', amount: 5 };

let scene: FacilitatorScene;
let server: HttpServer;
let client: HttpClient;
let nowMs: number;
/** The arguments with which the operation with a price has run. */
let runs: unknown[];

beforeAll(async () => {
  scene = await FacilitatorScene.open();
});
afterAll(() => scene.close());

async function open(options: Parameters<typeof startService>[0] = {}): Promise<void> {
  const { key, verifier, payments } = scene;
  const tables = new MemoryTables();
  nowMs = Date.now();
  runs = [];
  const follower = new PaymentFollower({
    payments: new TablePaymentStore(tables, systemClock),
    ledgerOf: () => payments.chain,
    clock: systemClock,
    timer: systemTimer,
    logger: silentLogger,
  });
  const settlement = new Settlement({
    follower,
    budget: new TableBudgetStore(tables, systemClock, 'facilitator'),
    lamportsPerHour: 1_000_000_000n,
    policy: null,
    signer: key,
    clock: systemClock,
    logger: silentLogger,
  });
  const price = { amount: String(PRICE), mint: USDC_MINT, payTo: scene.merchant.address };
  const till = createTill({
    facilitator: new Facilitator({ verifier, settlement, feePayer: key.address, clock: systemClock }),
    prices: new Map(['spl.deposit', 'spl.withdraw', 'spl.getPrivateBalance'].map((tool) => [tool, price])),
    clusters: new Clusters([payments.chain]),
    challenges: new Challenges(new Uint8Array(32), 'pay.example.com'),
    feePayer: key.address,
    signJws: key.signJws,
    clock: { now: () => nowMs },
    random: systemRandom,
  });
  const deposit = {
    ...buildOperation,
    name: 'deposit',
    run: (input: never, caller: never) => {
      runs.push(input);
      return buildOperation.run(input, caller);
    },
  };
  const operations = [
    deposit,
    { ...buildOperation, name: 'withdraw' },
    { ...readOperation, name: 'getBalance' },
    { ...refusingOperation, name: 'getPrivateBalance' },
  ] as unknown as Operation[];
  server = await startService({ operations, till, ...options });
  client = new HttpClient(server.port);
}

async function shut(): Promise<void> {
  client.close();
  await server.close();
}

beforeEach(() => open());
afterEach(shut);

const post = (headers: Record<string, string> = {}, path = 'deposit'): Promise<Answer> =>
  client.ask({
    path: `/v1/spl/${path}`,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(BODY),
  });

const read = ({ text }: Answer): Members => JSON.parse(text) as Members;

const decode = (header: unknown): Members =>
  JSON.parse(Buffer.from(String(header), 'base64').toString()) as Members;

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const balance = async (): Promise<bigint> => {
  const { output } = await scene.payments.call('getBalance', {
    address: scene.merchant.address,
    mint: USDC_MINT,
  });
  return BigInt(String(output['balance']));
};

/** Pays a requirement of x402, as a stock client does. */
function payX402(requirement: Members, wire = scene.build()): Members {
  const transaction = Buffer.from(wire).toString('base64');
  return { x402Version: 2, accepted: requirement, payload: { transaction } };
}

/** Returns the terms of the operation in the response to a request without a payment. */
async function terms(
  path = 'deposit',
  sent: Record<string, string> = {},
): Promise<{ requirement: Members; challenge: Members & Issued }> {
  const { headers } = await post(sent, path);
  const { accepts } = decode(headers['payment-required']) as { accepts: [Members] };
  const parameters = [...String(headers['www-authenticate']).matchAll(/(\w+)="([^"]*)"/g)];
  const challenge = Object.fromEntries(parameters.map(([, name, value]) => [name, value])) as Members;
  return {
    requirement: accepts[0],
    challenge: { ...challenge, request: decode(challenge['request']) } as never,
  };
}

/** Pays a challenge of MPP, as a stock client does. */
function payChallenge(challenge: Members & Issued, microLamports = 1n): Members {
  const { externalId, methodDetails } = challenge.request;
  const instructions = [
    setComputeUnitPrice(microLamports),
    setComputeUnitLimit(200_000),
    scene.transfer,
    addMemo(externalId),
  ];
  const wire = scene.build({ blockhash: methodDetails.recentBlockhash, instructions });
  const payload = { type: 'transaction', transaction: Buffer.from(wire).toString('base64') };
  return { challenge, payload };
}

/** Writes a credential as a header. Its challenge has an encoded request. */
function credentialHeader({ challenge, payload }: Members): string {
  const { request, ...members } = challenge as Members & Issued;
  return `Payment ${encode({ challenge: { ...members, request: encode(sorted(request)) }, payload: payload as object })}`;
}

function sorted(value: object): object {
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    members.map(([name, member]) => [name, typeof member === 'object' ? sorted(member as object) : member]),
  );
}

/** Verifies a JWS with the key in its header. Returns the key, in base58, and the payload. */
async function readJws(jws: string): Promise<{ signer: string; payload: unknown }> {
  const { kid } = decode(jws.split('.')[0]) as { kid: string };
  const [did, fragment] = kid.split('#') as [string, string];
  expect(did).toBe(`did:key:${fragment}`);
  const multicodec = decodeBase58(fragment.slice(1));
  expect(fragment[0] + Buffer.from(multicodec.subarray(0, 2)).toString('hex')).toBe('zed01');
  const publicKey = multicodec.subarray(2);
  const x = Buffer.from(publicKey).toString('base64url');
  const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, 'EdDSA');
  const { payload } = await compactVerify(jws, key, { algorithms: ['EdDSA'] });
  return { signer: encodeBase58(publicKey), payload: JSON.parse(Buffer.from(payload).toString()) };
}

/** The extension in a `PaymentRequired` or a `SettleResponse`. */
const offerReceiptOf = ({ extensions }: Members) =>
  (extensions as { 'offer-receipt': { info: { offers: Members[]; receipt: Members }; schema: object } })[
    'offer-receipt'
  ];

describe('a REST call with a price', () => {
  it('is not run without a payment, and names its terms in both protocols', async () => {
    const answer = await post();
    expect(answer.status).toBe(402);
    expect(read(answer)).toMatchObject({
      type: 'https://paymentauth.org/problems/payment-required',
      status: 402,
      code: 'PAYMENT_REQUIRED',
    });
    const { requirement, challenge } = await terms();
    expect(requirement).toMatchObject({
      scheme: 'exact',
      network: NETWORK,
      amount: String(PRICE),
      payTo: scene.merchant.address,
      extra: { feePayer: scene.key.address },
    });
    expect(challenge).toMatchObject({
      realm: 'pay.example.com',
      method: 'solana',
      intent: 'charge',
      request: {
        amount: String(PRICE),
        currency: USDC_MINT,
        methodDetails: { network: 'localnet', decimals: 6, feePayer: true, feePayerKey: scene.key.address },
      },
    });
    expect(runs).toEqual([]);
  });

  it('is answered after an x402 payment has settled, once for each payment', async () => {
    const before = await balance();
    const { requirement } = await terms();
    const headers = { 'payment-signature': encode(payX402(requirement)) };
    const paid = await post(headers);
    expect(paid.status, paid.text).toBe(200);
    expect(read(paid)).toMatchObject({ kind: 'build' });
    expect(decode(paid.headers['payment-response'])).toMatchObject({
      success: true,
      payer: scene.payer.address,
    });
    const again = await post(headers);
    expect(again.status).toBe(402);
    expect(decode(again.headers['payment-required'])).toMatchObject({ error: 'duplicate_settlement' });
    expect(await balance()).toBe(before + PRICE);
    expect(runs).toHaveLength(1);
  });

  it('has terms and a receipt signed by the facilitator (offer-receipt)', async () => {
    const { headers } = await post();
    const required = decode(headers['payment-required']) as Members & { accepts: [Members] };
    const { url } = required['resource'] as { url: string };
    const { scheme, network, asset, payTo, amount } = required.accepts[0];
    const { info, schema } = offerReceiptOf(required);
    expect(info.offers).toEqual([{ format: 'jws', acceptIndex: 0, signature: expect.any(String) }]);
    expect(schema).toMatchObject({ required: ['offers'] });
    expect(await readJws(String(info.offers[0]?.['signature']))).toEqual({
      signer: scene.key.address,
      payload: {
        version: 1,
        resourceUrl: url,
        scheme,
        network,
        asset,
        payTo,
        amount,
        validUntil: Math.floor(nowMs / 1_000) + 60,
      },
    });

    // Stock clients send the extensions of the terms back.
    const payment = { ...payX402(required.accepts[0]), extensions: required['extensions'] };
    const paid = await post({ 'payment-signature': encode(payment) });
    const { receipt } = offerReceiptOf(decode(paid.headers['payment-response'])).info;
    expect(receipt).toEqual({ format: 'jws', signature: expect.any(String) });
    expect(await readJws(String(receipt['signature']))).toEqual({
      signer: scene.key.address,
      payload: {
        version: 1,
        network,
        resourceUrl: url,
        payer: scene.payer.address,
        issuedAt: Math.floor(nowMs / 1_000),
      },
    });
  });

  it('answers only one of several requests with the same payment', async () => {
    const before = await balance();
    const { requirement } = await terms();
    const headers = { 'payment-signature': encode(payX402(requirement)) };
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(headers)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(4);
    expect(await balance()).toBe(before + PRICE);
  });

  it('is answered after an MPP payment has settled, once for each challenge', async () => {
    const before = await balance();
    const { challenge } = await terms();
    const credential = payChallenge(challenge);
    const paid = await post({ authorization: credentialHeader(credential) });
    expect(paid.status, paid.text).toBe(200);
    expect(decode(paid.headers['payment-receipt'])).toMatchObject({
      status: 'success',
      method: 'solana',
      challengeId: challenge.id,
      externalId: challenge.request.externalId,
    });
    expect((await post({ authorization: credentialHeader(credential) })).status).toBe(402);
    const other = await post({ authorization: credentialHeader(payChallenge(challenge, 2n)) });
    expect(other.status).toBe(402);
    expect(decode(other.headers['payment-response'])).toMatchObject({
      errorReason: 'payment_identifier_conflict',
    });
    expect(await balance()).toBe(before + PRICE);
  });

  it('gives each challenge its own id, so that equal payments at once are different transactions', async () => {
    const before = await balance();
    const all = await Promise.all(Array.from({ length: 10 }, () => terms()));
    const paid = await Promise.all(
      all.map(({ challenge }) => post({ authorization: credentialHeader(payChallenge(challenge)) })),
    );
    expect(paid.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(await balance()).toBe(before + 10n * PRICE);
  });

  it('is not charged if it fails', async () => {
    const before = await balance();
    const { requirement } = await terms();
    const failed = await client.ask({
      method: 'GET',
      path: '/v1/spl/private-balance',
      headers: { 'payment-signature': encode(payX402(requirement)) },
    });
    expect(read(failed)).toMatchObject({ code: 'MINT_NOT_FOUND' });
    expect(await balance()).toBe(before);
  });

  it('has no terms if the arguments are not valid', async () => {
    const answer = await client.ask({
      path: '/v1/spl/deposit',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(answer.status).toBe(422);
  });

  it('can be repeated with its Idempotency-Key: the demand is not stored, and the answer is', async () => {
    const before = await balance();
    const key = { 'idempotency-key': 'one' };
    expect((await post(key)).status).toBe(402);
    const { requirement } = await terms();
    const paid = await post({ ...key, 'payment-signature': encode(payX402(requirement)) });
    expect(paid.status).toBe(200);
    const again = await post(key);
    expect(again.text).toBe(paid.text);
    expect(await balance()).toBe(before + PRICE);
  });

  it.each<[string, string, (challenge: Members & Issued) => string]>([
    ['payment-insufficient', 'a smaller amount', (challenge) => credentialHeader(paySmall(challenge))],
    [
      'verification-failed',
      'a signature',
      (c) => credentialHeader({ challenge: c, payload: { type: 'signature' } }),
    ],
    [
      'invalid-challenge',
      'an altered challenge',
      (c) => credentialHeader({ ...payChallenge(c), challenge: { ...c, realm: 'x' } }),
    ],
    ['malformed-credential', 'no JSON', () => 'Payment bm8'],
    ['malformed-credential', 'no challenge', () => `Payment ${encode({})}`],
  ])('answers with %s to %s', async (problem, _, pay) => {
    const before = await balance();
    const answer = await post({ authorization: pay((await terms()).challenge) });
    expect(answer.status).toBe(402);
    expect(read(answer)).toMatchObject({ type: `https://paymentauth.org/problems/${problem}` });
    expect(answer.headers['www-authenticate']).toContain('Payment id=');
    expect(await balance()).toBe(before);
    expect(runs).toEqual([]);
  });

  it('refuses the challenge of another tool', async () => {
    const { challenge } = await terms('withdraw');
    const answer = await post({ authorization: credentialHeader(payChallenge(challenge)) });
    expect(read(answer)).toMatchObject({ type: 'https://paymentauth.org/problems/invalid-challenge' });
  });

  it('refuses an expired challenge', async () => {
    const { challenge } = await terms();
    nowMs += 61_000;
    const answer = await post({ authorization: credentialHeader(payChallenge(challenge)) });
    expect(read(answer)).toMatchObject({ type: 'https://paymentauth.org/problems/payment-expired' });
  });

  it('takes a credential of MPP from its own header if Authorization has an API key', async () => {
    await shut();
    const caller = { client: 'key', scopes: new Set(['spl:build']) };
    const keys = { verify: () => Promise.resolve(caller) };
    await open({ authorizer: new Authorizer({ keys, logger: silentLogger, clock: systemClock }) });
    const key = { authorization: 'Bearer key' };
    const { challenge } = await terms('deposit', key);
    expect(challenge).toMatchObject({ header: 'Payment-Authorization' });
    const credential = credentialHeader(payChallenge(challenge));
    const paid = await post({ ...key, 'payment-authorization': credential });
    expect(paid.status, paid.text).toBe(200);
  });

  it('leaves Authorization to the token of a rollup', async () => {
    const token = { authorization: 'Bearer token-of-a-rollup' };
    const { challenge } = await terms('deposit', token);
    expect(challenge).toMatchObject({ header: 'Payment-Authorization' });
    expect((await terms('deposit', { authorization: 'Payment bm8' })).challenge).not.toHaveProperty('header');
  });

  it('is described in OpenAPI, and other calls stay free', async () => {
    const document = read(await client.ask({ method: 'GET', path: '/doc' })) as {
      paths: Record<string, { post?: Members; get?: Members }>;
    };
    expect(document.paths['/v1/spl/deposit']?.post).toMatchObject({
      'x-payment-info': { offers: [{ method: 'solana', intent: 'charge', amount: String(PRICE) }, {}] },
      responses: { 402: {} },
    });
    expect(document.paths['/v1/spl/balance']?.get).not.toHaveProperty('x-payment-info');
    expect((await client.ask({ method: 'GET', path: '/v1/spl/balance' })).status).toBe(200);
  });
});

function paySmall(challenge: Members & Issued): Members {
  const { externalId, methodDetails } = challenge.request;
  const transfer = scene.transferOf({ amount: PRICE - 1n });
  const instructions = [setComputeUnitLimit(200_000), setComputeUnitPrice(1n), transfer, addMemo(externalId)];
  const wire = scene.build({ blockhash: methodDetails.recentBlockhash, instructions });
  return { challenge, payload: { type: 'transaction', transaction: Buffer.from(wire).toString('base64') } };
}

describe('an MCP tool with a price', () => {
  interface RpcAnswer {
    readonly result?: Members & { readonly _meta?: Members; readonly structuredContent?: Members };
    readonly error?: { readonly code: number; readonly data: { readonly challenges: [Members & Issued] } };
  }

  async function call(meta: object = {}): Promise<RpcAnswer> {
    const params = { name: 'spl.deposit', arguments: BODY, _meta: meta };
    const answer = await client.ask({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    return read(answer);
  }

  it('returns the terms of x402 as a failed result, with the challenges of MPP', async () => {
    const { result } = await call();
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        x402Version: 2,
        resource: { url: 'mcp://tool/spl.deposit' },
        accepts: [{ scheme: 'exact' }],
        extensions: { 'offer-receipt': { info: { offers: [{ format: 'jws' }] } } },
      },
      _meta: { 'org.paymentauth/payment-required': { httpStatus: 402, challenges: [{ method: 'solana' }] } },
    });
    const [block] = (result as { content: [{ text: string }] }).content;
    expect(JSON.parse(block.text)).toEqual(result?.structuredContent);
  });

  it('returns its result with the settlement of an x402 payment', async () => {
    const before = await balance();
    const { result: unpaid } = (await call()) as { result: { structuredContent: { accepts: [Members] } } };
    const { accepts } = unpaid.structuredContent;
    const payment = payX402(accepts[0]);
    const { result } = await call({ 'x402/payment': payment });
    expect(result).toMatchObject({
      structuredContent: { kind: 'build' },
      _meta: { 'x402/payment-response': { success: true, payer: scene.payer.address } },
    });
    const { _meta: meta } = result as { _meta: { 'x402/payment-response': Members } };
    const settled = meta['x402/payment-response'];
    expect(await readJws(String(offerReceiptOf(settled).info.receipt['signature']))).toMatchObject({
      signer: scene.key.address,
      payload: { resourceUrl: 'mcp://tool/spl.deposit', payer: scene.payer.address },
    });
    expect((await call({ 'x402/payment': payment })).result).toMatchObject({
      isError: true,
      structuredContent: { error: 'duplicate_settlement' },
    });
    expect(await balance()).toBe(before + PRICE);
  });

  it('returns its result with the receipt of an MPP payment', async () => {
    const { _meta: meta } = (await call()).result as { _meta: Members };
    const demand = meta['org.paymentauth/payment-required'] as { challenges: [Members & Issued] };
    const [challenge] = demand.challenges;
    const credential = payChallenge(challenge);
    const { result } = await call({ 'org.paymentauth/credential': credential });
    expect(result).toMatchObject({
      structuredContent: { kind: 'build' },
      _meta: { 'org.paymentauth/receipt': { status: 'success', challengeId: challenge.id } },
    });
    expect((await call({ 'org.paymentauth/credential': credential })).error).toMatchObject({ code: -32043 });
  });

  it('is announced among the capabilities of the server', async () => {
    const answer = await client.ask({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
      }),
    });
    expect(read(answer)).toMatchObject({
      result: {
        capabilities: { experimental: { payment: { methods: { solana: { intents: ['charge'] } } } } },
      },
    });
  });

  it('answers with the errors of MPP to clients that announce or use it', async () => {
    expect((await call({ 'org.paymentauth/credential': {} })).error).toMatchObject({
      code: -32602,
      data: { challenges: [{ intent: 'charge' }] },
    });
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { experimental: { payment: {} } },
    };
    const answer = await client.ask({
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'spl.deposit',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'spl.deposit', arguments: BODY, _meta: meta },
      }),
    });
    expect((read(answer) as RpcAnswer).error).toMatchObject({
      code: -32042,
      message: 'Payment Required',
      data: { httpStatus: 402, challenges: [{ method: 'solana' }], problem: { status: 402 } },
    });
  });
});
