import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  brokenOperation,
  buildOperation,
  readOperation,
  refusingOperation,
  SECRET,
} from '../../../test/conformance/fixture-operations.ts';
import { type Answer, HttpClient } from '../../../test/conformance/http-client.ts';
import { recordErrors, startService } from '../../../test/conformance/running-service.ts';
import type { HttpServer } from '../../http/server.ts';
import type { Operation, OperationCaller } from '../../payments/operation.ts';
import { HandTimer } from '../../ports/testing/hand-timer.ts';

const OWNER = '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE';
const JSON_HEADERS = { 'content-type': 'application/json' };
const VALID = JSON.stringify({ owner: OWNER, amount: 5 });

let logger: ReturnType<typeof recordErrors>;
let runs: OperationCaller[];
let release: () => void;
let server: HttpServer;
let client: HttpClient;

/** Waits until it is released, and remembers who called. */
const sendOperation: Operation<{ owner: string }> = {
  ...buildOperation,
  name: 'sendTransaction',
  input: z.strictObject({ owner: z.string() }),
  effect: 'send',
  run: async (_input, caller) => {
    runs.push(caller);
    await new Promise<void>((resolve) => (release = resolve));
    return { output: { run: runs.length }, sentences: [] };
  },
};

const loginOperation: Operation = {
  ...readOperation,
  name: 'login',
  run: async (_input, caller) => {
    runs.push(caller);
    return { output: { balance: String(runs.length) }, sentences: [] };
  },
};

const OPERATIONS = [
  { ...buildOperation, name: 'deposit' },
  { ...readOperation, name: 'getBalance' },
  { ...refusingOperation, name: 'withdraw' },
  { ...brokenOperation, name: 'transfer' },
  { ...refusingOperation, name: 'createStealthPool' },
  { ...readOperation, name: 'getStealthPool' },
  sendOperation,
  loginOperation,
  { ...loginOperation, name: 'undelegate' },
] as Operation[];

beforeEach(async () => {
  logger = recordErrors();
  runs = [];
  server = await startService({ operations: OPERATIONS, logger });
  client = new HttpClient(server.port);
});

afterEach(async () => {
  client.close();
  await server.close();
});

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
  return client.ask({ path, body, headers: { ...JSON_HEADERS, ...headers } });
}

function get(path: string): Promise<Answer> {
  return client.ask({ method: 'GET', path });
}

const bodyOf = (answer: Answer): unknown => JSON.parse(answer.text);

/** Resolves once an operation that waits has been started that many times. */
async function untilRuns(count: number): Promise<void> {
  while (runs.length < count) await new Promise((resolve) => setImmediate(resolve));
}

describe('a POST', () => {
  it('answers with the output of its operation', async () => {
    const answer = await post('/v1/spl/deposit', VALID, { 'x-request-id': 'mine' });
    expect(answer.status).toBe(200);
    expect(bodyOf(answer)).toEqual({ kind: 'build', amount: '5', requiredSigners: [OWNER] });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'mine',
    });
  });

  it('generates a request id if the caller sent none', async () => {
    const answer = await post('/v1/spl/deposit', VALID);
    expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9_-]{16}$/);
  });

  it('names every invalid field', async () => {
    const answer = await post('/v1/spl/deposit', JSON.stringify({ amount: 0, ownr: OWNER }));
    expect(answer.status).toBe(422);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(bodyOf(answer)).toMatchObject({
      type: '/reference#INVALID_ARGUMENTS',
      title: 'The arguments are not valid',
      status: 422,
      code: 'INVALID_ARGUMENTS',
      detail: 'The input has 3 problems',
      instance: `/v1/spl/deposit#${answer.headers['x-request-id']}`,
      errors: [{ pointer: '#/owner' }, { pointer: '#/amount' }, { pointer: '#/ownr' }],
      error: {
        code: 'VALIDATION_ERROR',
        issues: [{ path: ['owner'] }, { path: ['amount'] }, { path: ['ownr'] }],
      },
    });
  });

  it.each([
    ['not an object', '[]', 422, 'INVALID_ARGUMENTS'],
    ['null', 'null', 422, 'INVALID_ARGUMENTS'],
    ['no JSON', '{', 400, 'BODY_NOT_JSON'],
    ['nothing', '', 400, 'BODY_NOT_JSON'],
    ['too deeply nested', '['.repeat(100) + ']'.repeat(100), 400, 'BODY_TOO_DEEP'],
    ['too large', `"${'x'.repeat(70_000)}"`, 413, 'BODY_TOO_LARGE'],
  ])('rejects a body that is %s', async (_name, body, status, code) => {
    const answer = await post('/v1/spl/deposit', body);
    expect(answer.status).toBe(status);
    expect(bodyOf(answer)).toMatchObject({ code, status });
  });

  it('reports an empty body as empty', async () => {
    expect(bodyOf(await post('/v1/spl/deposit', ''))).toMatchObject({
      detail: 'The body is empty: send JSON',
    });
    expect(bodyOf(await post('/v1/spl/deposit', ' '))).toMatchObject({
      detail: 'The body is not JSON in UTF-8',
    });
  });

  it('rejects another content type', async () => {
    const answer = await post('/v1/spl/deposit', VALID, { 'content-type': 'text/plain' });
    expect(answer.status).toBe(415);
    expect(bodyOf(answer)).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  it('rejects a compressed body', async () => {
    const answer = await post('/v1/spl/deposit', VALID, {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    });
    expect([answer.status, answer.headers['accept-encoding']]).toEqual([415, 'identity']);
    expect(bodyOf(answer)).toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
      detail: 'Content-Encoding must be left out or identity: send the JSON uncompressed',
    });
  });

  it('returns the refusal of the operation', async () => {
    const answer = await post('/v1/spl/withdraw', '{}');
    expect(answer.status).toBe(400);
    expect(bodyOf(answer)).toMatchObject({
      type: '/reference#MINT_NOT_FOUND',
      code: 'MINT_NOT_FOUND',
      detail: 'There is no such mint; name another',
      error: { code: 'MINT_NOT_FOUND', message: 'There is no such mint; name another' },
    });
  });

  it('reveals nothing about a bug, and logs it without its message', async () => {
    const answer = await post('/v1/spl/transfer', '{}');
    expect(answer.status).toBe(500);
    expect(bodyOf(answer)).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(logger.lines).toHaveLength(1);
    expect(answer.text + logger.lines.join()).not.toContain(SECRET);
  });
});

describe('a GET', () => {
  it('reads its input from the query', async () => {
    const answer = await get(`/v1/spl/balance?owner=${OWNER}`);
    expect(answer.status).toBe(200);
    expect(bodyOf(answer)).toEqual({ balance: '7' });
  });

  it.each([
    ['unknown', '?owned=a', '#/owned'],
    ['repeated', `?owner=${OWNER}&owner=${OWNER}`, '#/owner'],
    ['invalid', '?owner=0', '#/owner'],
  ])('rejects a parameter that is %s', async (_name, query, pointer) => {
    const answer = await get(`/v1/spl/balance${query}`);
    expect(answer.status).toBe(422);
    expect(bodyOf(answer)).toMatchObject({ code: 'INVALID_ARGUMENTS', errors: [{ pointer }] });
  });
});

describe('paths', () => {
  it.each([
    ['GET', '/v1/spl/deposit', 405, 'POST'],
    ['POST', '/v1/spl/balance', 405, 'GET, HEAD'],
    ['DELETE', '/v1/spl/stealth-pool', 405, 'GET, HEAD, POST'],
    ['HEAD', '/v1/spl/balance', 200, undefined],
    ['POST', '/v1/spl/initialize-mint', 404, undefined],
    ['POST', '/v1/spl/deposit/', 404, undefined],
  ])('%s %s: %i', async (method, path, status, allow) => {
    const answer = await client.ask({ method, path });
    expect([answer.status, answer.headers.allow]).toEqual([status, allow]);
  });
});

it('passes the client to the operation, over REST and MCP', async () => {
  await post('/v1/spl/undelegate-ephemeral-ata', '{}');
  const params = { name: 'spl.undelegate', arguments: {} };
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  await post('/mcp', call, { accept: 'application/json, text/event-stream' });
  expect(runs.map((caller) => caller.client)).toEqual(['127.0.0.1', '127.0.0.1']);
});

describe('Idempotency-Key', () => {
  const SEND = '/v1/transaction/send';
  const BODY = '{"owner":"a"}';
  const key = { 'idempotency-key': 'order-1' };

  async function sendOnce(headers: Record<string, string> = key): Promise<Answer> {
    const started = runs.length + 1;
    const answer = post(SEND, BODY, headers);
    await untilRuns(started);
    release();
    return answer;
  }

  it('returns the original response for a repeated request, without another run', async () => {
    const first = await sendOnce();
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    const second = await post(SEND, ' {"owner" : "a"} ', key);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(runs).toHaveLength(1);
  });

  it('rejects the key for another body', async () => {
    await sendOnce();
    const other = await post(SEND, '{"owner":"b"}', key);
    expect(other.status).toBe(422);
    expect(bodyOf(other)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('rejects a repetition while the first request is in progress', async () => {
    const first = post(SEND, BODY, key);
    await untilRuns(1);
    const second = await post(SEND, BODY, key);
    release();
    expect(second.status).toBe(409);
    expect(second.headers['retry-after']).toBe('1');
    expect(bodyOf(second)).toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' });
    expect((await first).status).toBe(200);
    expect(runs).toHaveLength(1);
  });

  it('belongs to the caller with the token', async () => {
    await sendOnce({ ...key, authorization: 'Bearer alice' });
    await sendOnce({ ...key, authorization: 'Bearer bob' });
    expect(runs).toMatchObject([{ token: 'alice' }, { token: 'bob' }]);
  });

  it('is not used by an invalid input', async () => {
    expect((await post(SEND, '{}', key)).status).toBe(422);
    expect((await sendOnce()).status).toBe(200);
  });

  it('stores refusals of the operation', async () => {
    await post('/v1/spl/withdraw', '{}', key);
    const second = await post('/v1/spl/withdraw', '{}', key);
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([400, 'true']);
  });

  it('frees the key after a bug', async () => {
    await post('/v1/spl/transfer', '{}', key);
    const second = await post('/v1/spl/transfer', '{}', key);
    expect(second.headers).not.toHaveProperty('idempotent-replayed');
    expect(logger.lines).toHaveLength(2);
  });

  it('has no effect if the response is secret', async () => {
    await post('/v1/spl/login', '{}', key);
    expect(bodyOf(await post('/v1/spl/login', '{}', key))).toEqual({ balance: '2' });
  });

  it.each(['x'.repeat(256), 'a b', '\u00fc', ''])('must be well-formed, not %j', async (value) => {
    const answer = await post('/v1/spl/deposit', VALID, { 'idempotency-key': value });
    expect(answer.status).toBe(400);
    expect(bodyOf(answer)).toMatchObject({ code: 'IDEMPOTENCY_KEY_INVALID' });
  });
});

describe('operations that hang', () => {
  it('time out, and are rejected if there are too many', async () => {
    const timer = new HandTimer();
    const limited = await startService({
      operations: OPERATIONS,
      operationLimits: { inFlightMax: 1, runTimeoutMs: 100 },
      operationTimer: timer,
    });
    const ask = (): Promise<Response> =>
      fetch(`${limited.url}/v1/transaction/send`, {
        method: 'POST',
        headers: JSON_HEADERS,
        body: '{"owner":"a"}',
      });
    const first = ask();
    await untilRuns(1);
    const second = await ask();
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await second.json()).toMatchObject({ code: 'SERVICE_BUSY' });
    timer.pass(100);
    expect((await first).status).toBe(504);
    await limited.close();
  });
});
