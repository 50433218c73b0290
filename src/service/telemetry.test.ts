import { trace } from '@opentelemetry/api';
import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  buildOperation,
  brokenOperation,
  readOperation,
  refusingOperation,
} from '../../test/conformance/fixture-operations.ts';
import { type Answer, HttpClient } from '../../test/conformance/http-client.ts';
import { startService } from '../../test/conformance/running-service.ts';
import type { HttpServer } from '../http/server.ts';
import type { Operation } from '../payments/operation.ts';
import { type RecordedTelemetry, recordTelemetry } from './testing/recorded-telemetry.ts';

const SERVER = 1;
const ERROR = 2;
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const OWNER = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const AMOUNT = '123456789';

/** Starts a span of its own, as the instrumentation of an HTTP client does for an upstream call. */
const readsUpstream: Operation = {
  ...readOperation,
  name: 'getBalance',
  run: async (...args) => {
    await new Promise(setImmediate);
    trace.getTracer('upstream').startSpan('POST upstream').end();
    return (readOperation as Operation).run(...args);
  },
};

/** Emits `start`, and runs until `finish`. */
const slow = new EventEmitter();
const slowOperation = {
  ...buildOperation,
  name: 'undelegate',
  run: async (...args) => {
    slow.emit('start');
    await once(slow, 'finish');
    return buildOperation.run(...args);
  },
} satisfies typeof buildOperation;

const OPERATIONS = [
  { ...buildOperation, name: 'deposit' },
  readsUpstream,
  { ...refusingOperation, name: 'withdraw' },
  { ...brokenOperation, name: 'transfer' },
  slowOperation,
] as Operation[];

let telemetry: RecordedTelemetry;
let server: HttpServer;
let client: HttpClient;

beforeEach(async () => {
  telemetry = recordTelemetry();
  server = await startService({ operations: OPERATIONS });
  client = new HttpClient(server.port);
});

afterEach(async () => {
  telemetry.stop();
  client.close();
  await server.close();
});

const JSON_TYPE = { 'content-type': 'application/json' };

function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  return client.ask({ path, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) });
}

interface Message {
  readonly method?: string;
  readonly params?: object;
  readonly id?: unknown;
  readonly headers?: Record<string, string>;
}

const send = ({ method = 'tools/call', params, id = 7, headers }: Message): Promise<Answer> =>
  post('/mcp', { jsonrpc: '2.0', id, method, params }, headers);

const traceparent = (spanId: string): string => `00-${TRACE_ID}-${spanId}-01`;

/** The spans of calls, without those of upstream calls. */
const served = (): RecordedTelemetry['spans'] => telemetry.spans.filter(({ kind }) => kind === SERVER);

describe('a REST call', () => {
  it('is a server span and a duration by the conventions for HTTP', async () => {
    await post('/v1/spl/deposit', { owner: OWNER, amount: AMOUNT });
    const attributes = {
      'http.request.method': 'POST',
      'http.route': '/v1/spl/deposit',
      'url.scheme': 'http',
      'network.protocol.version': '1.1',
      'http.response.status_code': 200,
    };
    expect(served()).toMatchObject([
      {
        name: 'POST /v1/spl/deposit',
        attributes: { ...attributes, 'url.path': '/v1/spl/deposit' },
        statusCode: 0,
      },
    ]);
    expect(telemetry.values).toEqual([
      { metric: 'http.server.request.duration', unit: 's', value: expect.any(Number), attributes },
    ]);
    expect(telemetry.values[0]?.value).toBeLessThan(60);
  });

  it('failed only if the service failed', async () => {
    await post('/v1/spl/withdraw', {});
    await post('/v1/spl/deposit', { amount: 'x' });
    await post('/v1/spl/transfer', {});
    expect(
      served().map(({ statusCode, attributes }) => [
        attributes['http.response.status_code'],
        attributes['error.type'],
        statusCode,
      ]),
    ).toEqual([
      [400, undefined, 0],
      [422, undefined, 0],
      [500, 'INTERNAL_ERROR', ERROR],
    ]);
  });

  it('continues the trace of its headers, and upstream calls continue its own', async () => {
    const headers = { traceparent: traceparent('00f067aa0ba902b7') };
    await client.ask({ method: 'GET', path: `/v1/spl/balance?owner=${OWNER}`, headers });
    const [upstream, call] = telemetry.spans;
    expect(call).toMatchObject({
      name: 'GET /v1/spl/balance',
      traceId: TRACE_ID,
      parentId: '00f067aa0ba902b7',
    });
    expect(upstream).toMatchObject({ traceId: TRACE_ID, parentId: call?.spanId });
  });
});

describe('an MCP message', () => {
  it('is a server span and a duration by the conventions for MCP', async () => {
    await send({ params: { name: 'spl.deposit', arguments: { owner: OWNER, amount: AMOUNT } } });
    await send({ method: 'tools/list', id: 'a', headers: { 'mcp-protocol-version': '2025-11-25' } });
    const network = { 'network.transport': 'tcp', 'network.protocol.name': 'http' };
    const call = {
      ...network,
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'spl.deposit',
      'gen_ai.operation.name': 'execute_tool',
    };
    const list = { ...network, 'mcp.method.name': 'tools/list', 'mcp.protocol.version': '2025-11-25' };
    expect(served()).toMatchObject([
      {
        name: 'tools/call spl.deposit',
        attributes: { ...call, 'jsonrpc.request.id': '7' },
        statusCode: 0,
      },
      { name: 'tools/list', attributes: { ...list, 'jsonrpc.request.id': 'a' }, statusCode: 0 },
    ]);
    const duration = { metric: 'mcp.server.operation.duration', unit: 's', value: expect.any(Number) };
    expect(telemetry.values).toEqual([
      { ...duration, attributes: call },
      { ...duration, attributes: list },
    ]);
  });

  it('failed if a tool failed or the protocol was violated', async () => {
    await send({ params: { name: 'spl.withdraw' } });
    await send({ params: { name: 'spl.deposit', arguments: {} } });
    await send({ params: { name: 'spl.transfer' } });
    await send({ params: { name: OWNER } });
    await send({ method: OWNER, id: null });
    expect(
      served().map(({ name, attributes, statusCode }) => [name, attributes['error.type'], statusCode]),
    ).toEqual([
      ['tools/call spl.withdraw', 'tool_error', ERROR],
      ['tools/call spl.deposit', 'tool_error', ERROR],
      ['tools/call spl.transfer', 'tool_error', ERROR],
      ['tools/call', '-32602', ERROR],
      ['unknown', '-32601', ERROR],
    ]);
    expect(served()[3]?.attributes['rpc.response.status_code']).toBe('-32602');
    expect(served()[4]?.attributes).not.toHaveProperty('jsonrpc.request.id');
  });

  it('continues the trace in _meta, otherwise that of its headers', async () => {
    const headers = { traceparent: traceparent('00f067aa0ba902b7') };
    const meta = { traceparent: traceparent('00f067aa0ba902b8') };
    await send({ params: { name: 'spl.getBalance', _meta: meta }, headers });
    await send({ params: { name: 'spl.getBalance' }, headers });
    await send({ params: { name: 'spl.getBalance', _meta: { traceparent: 5 } } });
    expect(served().map(({ parentId }) => parentId)).toEqual([
      '00f067aa0ba902b8',
      '00f067aa0ba902b7',
      undefined,
    ]);
    const [upstream, call] = telemetry.spans;
    expect(upstream).toMatchObject({ name: 'POST upstream', traceId: TRACE_ID, parentId: call?.spanId });
  });
});

it('a call whose client does not wait for the response is recorded (bug: durations left out the slowest)', async () => {
  const leaving = new AbortController();
  const path = `http://127.0.0.1:${server.port}/v1/spl/undelegate-ephemeral-ata`;
  const body = JSON.stringify({ owner: OWNER, amount: AMOUNT });
  const started = once(slow, 'start');
  const sent = fetch(path, { method: 'POST', headers: JSON_TYPE, body, signal: leaving.signal });
  await started;
  leaving.abort();
  await expect(sent).rejects.toThrow('aborted');
  await vi.waitFor(() => expect(server.counts.answers[0]).toBe(1));
  expect(served()).toEqual([]);
  slow.emit('finish');
  await vi.waitFor(() =>
    expect(served()).toMatchObject([{ name: 'POST /v1/spl/undelegate-ephemeral-ata', statusCode: 0 }]),
  );
});

it('shows no argument, address, amount, token or query in spans and metrics', async () => {
  const headers = { authorization: 'Bearer hunter3', 'user-agent': 'hunter4' };
  const args = { owner: OWNER, amount: AMOUNT };
  await post('/v1/spl/deposit', args, headers);
  await post(`/v1/spl/deposit?${OWNER}`, { ...args, [OWNER]: 1 }, headers);
  await client.ask({ method: 'GET', path: `/v1/spl/balance?owner=${OWNER}`, headers });
  await send({ params: { name: 'spl.deposit', arguments: args, _meta: { [OWNER]: OWNER } }, headers });
  await send({ params: { name: 'spl.transfer', arguments: args }, headers });
  await send({ method: OWNER, params: args });
  await send({ id: 1, method: 'tools/list', headers: { 'mcp-protocol-version': OWNER } });
  expect(served().length).toBeGreaterThan(6);
  expect(JSON.stringify([telemetry.spans, telemetry.values])).not.toMatch(
    new RegExp(`${OWNER}|${AMOUNT}|hunter`),
  );
});

it('records nothing after the SDK is gone', async () => {
  telemetry.stop();
  await post('/v1/spl/deposit', { owner: OWNER, amount: AMOUNT });
  await send({ method: 'tools/list' });
  expect(telemetry.spans).toEqual([]);
  expect(telemetry.values).toEqual([]);
});
