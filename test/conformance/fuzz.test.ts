import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../src/http/server.ts';
import { lengthOf } from '../length.ts';
import { type Ask, HttpClient } from './http-client.ts';
import { recordErrors, startService } from './running-service.ts';

const RUNS = lengthOf({ short: 100, long: 3_000 });

/** How long an answer may take before it counts as a hang, ms. */
const ANSWER_TIMEOUT_MS = 30_000;

const logger = recordErrors();
const membersOfObject = Object.getOwnPropertyNames(Object.prototype).sort();
let server: HttpServer;
let client: HttpClient;

beforeAll(async () => {
  server = await startService({ logger });
  client = new HttpClient(server.port);
});

afterAll(async () => {
  client.close();
  await server.close();
});

/**
 * Sends a request and checks what must hold for any: an answer, not of the server's failing, nothing changed
 * here.
 */
async function check(ask: Ask): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), ANSWER_TIMEOUT_MS);
  });
  const answer = await Promise.race([client.ask(ask), hang]).finally(() => clearTimeout(timer));
  expect(answer.status).toBeLessThan(500);
  if (answer.text !== '') expect(JSON.parse(answer.text)).toBeTypeOf('object');
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(membersOfObject);
  expect(logger.lines).toEqual([]);
}

function property(arbitrary: fc.Arbitrary<Ask>): Promise<void> {
  return fc.assert(fc.asyncProperty(arbitrary, check), {
    numRuns: RUNS,
  });
}

const HEADERS = { 'content-type': 'application/json' };
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

const poisonedKeys = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty');
const anything = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(poisonedKeys, fc.jsonValue()),
  fc.double(),
  fc.constant(null),
);

/** Now the good value, now anything. */
function mostly(good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: anything });
}

const methods = fc.constantFrom(
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'server/discover',
  'notifications/x',
);
const versions = fc.constantFrom('2026-07-28', '2025-11-25', '2024-10-07', '1999-01-01', '');
const names = fc.constantFrom('spl.build', 'spl_build', 'spl.read', 'spl.refuse', 'spl.steal', '__proto__');
const owners = fc.oneof(
  fc.constant('3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE'),
  fc.string({ unit: 'binary' }),
);

const messages = fc.record(
  {
    jsonrpc: mostly(fc.constant('2.0')),
    id: mostly(fc.oneof(fc.integer(), fc.string({ unit: 'binary' }))),
    method: mostly(methods),
    params: mostly(
      fc.record(
        {
          name: mostly(names),
          arguments: mostly(
            fc.record(
              { owner: mostly(owners), amount: mostly(fc.integer()), memo: anything },
              { requiredKeys: [] },
            ),
          ),
          protocolVersion: mostly(versions),
          cursor: anything,
          _meta: mostly(fc.record({ [VERSION_KEY]: mostly(versions) })),
        },
        { requiredKeys: [] },
      ),
    ),
    extra: anything,
  },
  { requiredKeys: ['jsonrpc'] },
);

describe('no body makes the endpoint fail', () => {
  it('bytes of any kind', () =>
    property(fc.uint8Array({ maxLength: 300 }).map((body) => ({ headers: HEADERS, body }))));

  it('JSON of any shape', () =>
    property(fc.json({ maxDepth: 8 }).map((body) => ({ headers: HEADERS, body }))));

  it('almost valid calls', () =>
    property(
      fc
        .record({ message: messages, version: fc.option(versions, { nil: undefined }) })
        .map(({ message, version }) => ({
          headers: { ...HEADERS, ...(version === undefined ? {} : { 'mcp-protocol-version': version }) },
          body: JSON.stringify(message),
        })),
    ));

  it('valid calls with bytes changed, cut or duplicated', () =>
    property(
      fc
        .record({
          message: messages,
          at: fc.nat(400),
          bytes: fc.uint8Array({ maxLength: 6 }),
          drop: fc.nat(20),
        })
        .map(({ message, at, bytes, drop }) => {
          const text = Buffer.from(JSON.stringify(message));
          const body = Buffer.concat([text.subarray(0, at), bytes, text.subarray(at + drop)]);
          return { headers: HEADERS, body };
        }),
    ));
});
