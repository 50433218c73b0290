import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { HttpServer } from '../../src/http/server.ts';
import type { Operation } from '../../src/payments/operation.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { systemRandom } from '../../src/ports/random.ts';
import { serveStdio } from '../../src/service/mcp/stdio.ts';
import { buildOperation, readOperation } from './fixture-operations.ts';
import { HttpClient } from './http-client.ts';
import { startService } from './running-service.ts';

const OWNER = '3rXKwQ1kpjBd5tdcco32qsvqUh1BnZjcYnS5kYrP7AYE';

const OPERATIONS = [
  { ...buildOperation, name: 'deposit' },
  { ...readOperation, name: 'getBalance', input: z.strictObject({ limit: z.int().optional() }) },
] as Operation[];

let server: HttpServer;
let client: HttpClient;

beforeAll(async () => {
  server = await startService({ operations: OPERATIONS });
  client = new HttpClient(server.port);
});

afterAll(async () => {
  client.close();
  await server.close();
});

const HEADERS = { 'content-type': 'application/json' };

const callOf = (args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"spl.deposit","arguments":${args}}}`;

async function overStdio(text: string): Promise<string> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stdio = serveStdio({
    operations: OPERATIONS,
    input,
    output,
    logger: silentLogger,
    random: systemRandom,
  });
  input.end(text);
  await stdio.done;
  return String(Buffer.concat(await output.end().toArray()));
}

/** The answer's text, over every transport that takes JSON. */
const TRANSPORTS: Readonly<Record<string, (args: string) => Promise<string>>> = {
  'MCP over HTTP': async (args) => (await client.ask({ headers: HEADERS, body: callOf(args) })).text,
  'MCP over stdio': (args) => overStdio(callOf(args)),
  REST: async (args) => (await client.ask({ path: '/v1/spl/deposit', headers: HEADERS, body: args })).text,
};

const argsOf = (amount: string): string => `{"owner":"${OWNER}","amount":${amount}}`;

describe.each(Object.entries(TRANSPORTS))('%s', (_transport, ask) => {
  it.each([
    '0.9999999999999999999',
    '9007199254740990.7',
    '9007199254740993',
    '1e400',
    '18446744073709551616',
  ])('does not round %s to the nearest double', async (amount) => {
    const answer = await ask(argsOf(amount));
    expect(answer).toContain('amount');
    expect(answer).toContain('is not valid');
    expect(answer).not.toContain('base units."');
  });

  it.each([
    ['1.0', '1'],
    ['1e3', '1000'],
    ['9007199254740991', '9007199254740991'],
    ['"18446744073709551615"', '18446744073709551615'],
  ])('reads %s exactly', async (amount, taken) => {
    const answer = JSON.parse(await ask(argsOf(amount))) as { result?: { structuredContent: object } };
    expect(answer.result?.structuredContent ?? answer).toMatchObject({ kind: 'build', amount: taken });
  });

  it('rejects a duplicate member (bug: the last one won silently)', async () => {
    const answer = await ask(`{"owner":"${OWNER}","amount":1,"\\u0061mount":1000000}`);
    expect(answer).toContain('contains the member \\"amount\\" more than once');
    expect(answer).not.toContain('1000000');
  });

  it('treats null for an optional argument as absent', async () => {
    const answer = await ask(`{"owner":"${OWNER}","amount":1,"memo":null,"idempotent":null}`);
    expect(answer).toContain('"kind":"build"');
    expect(await ask(`{"owner":"${OWNER}","amount":null}`)).toContain('amount');
    expect(await ask(`{"owner":"${OWNER}","amount":null}`)).not.toContain('"kind":"build"');
  });

  it('rejects __proto__ as an unknown argument', async () => {
    const answer = await ask(`{"owner":"${OWNER}","amount":1,"__proto__":{"memo":"x"}}`);
    expect(answer).toContain('__proto__');
    expect(answer).not.toContain('"kind":"build"');
  });

  it('reports the nesting limit', async () => {
    const answer = await ask(`{"owner":${'['.repeat(100)}${']'.repeat(100)}}`);
    expect(answer).toContain('must not nest deeper than 64 levels');
  });
});

it('reads a number in a query exactly', async () => {
  const ask = async (limit: string) =>
    (await client.ask({ method: 'GET', path: `/v1/spl/balance?limit=${limit}` })).status;
  expect(await ask('1.0')).toBe(200);
  expect(await ask('0.9999999999999999999')).toBe(422);
  expect(await ask('9007199254740993')).toBe(422);
});
