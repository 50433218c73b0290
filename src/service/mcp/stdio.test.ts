import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { FIXTURE_OPERATIONS, readOperation } from '../../../test/conformance/fixture-operations.ts';
import type { RpcResponse } from '../../../test/conformance/rpc-answer.ts';
import type { Operation, OperationCaller } from '../../payments/operation.ts';
import { silentLogger } from '../../ports/logger.ts';
import { systemRandom } from '../../ports/random.ts';
import { serveStdio, type StdioOptions } from './stdio.ts';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends text, ends the input and resolves to the answers. */
async function converse(text: string, options: Partial<StdioOptions> = {}): Promise<readonly RpcResponse[]> {
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: 10_000_000 });
  const server = serveStdio({
    operations: FIXTURE_OPERATIONS,
    input,
    output,
    logger: silentLogger,
    random: systemRandom,
    ...options,
  });
  input.end(text);
  await server.done;
  // Node 26 reads one chunk at a time.
  const lines = String(Buffer.concat(await output.end().toArray())).split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as RpcResponse);
}

const asLines = (...messages: readonly object[]): string =>
  messages.map((message) => `${JSON.stringify(message)}\n`).join('');

const call = (id: number, name: string, args: object = {}): object => ({
  ...PING,
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

describe('serveStdio', () => {
  it('answers requests and accepts notifications', async () => {
    const answers = await converse(
      asLines(
        { ...PING, id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { ...PING, method: 'tools/list' },
      ),
    );
    expect(answers).toMatchObject([
      { id: 0, result: { protocolVersion: '2025-11-25' } },
      { id: 1, result: { tools: [{ name: 'spl.build' }, {}, {}, {}] } },
    ]);
  });

  it('answers requests of 2026-07-28, without headers', async () => {
    const params = { _meta: META, name: 'spl.read', arguments: {} };
    const [answer] = await converse(asLines({ ...PING, method: 'tools/call', params }));
    expect(answer?.result).toMatchObject({ resultType: 'complete', structuredContent: { balance: '7' } });
  });

  it.each([
    ['no JSON', '{"jsonrpc":\n', -32700],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a]), -32700],
    ['not a request', '{"a":1}\n', -32600],
    ['a batch', `[${JSON.stringify(PING)}]\n`, -32600],
    ['too deeply nested', `${'['.repeat(100)}${']'.repeat(100)}\n`, -32600],
    ['too long', `"${'x'.repeat(70_000)}"\n`, -32000],
    ['truncated', '{"jsonrpc":"2.0"', -32700],
  ])('answers input that is %s with an error, and continues', async (_name, text, code) => {
    const [error] = await converse(text as string);
    expect(error).toMatchObject({ id: null, error: { code } });
    const [, ping] = await converse(`${String(text).trimEnd()}\n${JSON.stringify(PING)}`);
    expect(ping).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('names the id of a message that is too long, up to lines of 1 MiB', async () => {
    const idOf = async (length: number): Promise<unknown> => {
      const [error] = await converse(asLines({ ...PING, id: 7, params: { a: 'x'.repeat(length) } }));
      return [error?.id, (error as { error?: { code: number } }).error?.code];
    };
    expect([await idOf(70_000), await idOf(1_100_000)]).toEqual([
      [7, -32000],
      [null, -32000],
    ]);
  });

  it('skips blank lines, and accepts Windows line endings', async () => {
    expect(await converse(`\n\r\n${JSON.stringify(PING)}\r\n`)).toHaveLength(1);
  });

  it('answers every request before it exits, quick ones first', async () => {
    let tellRan = (): void => {};
    const quickRan = new Promise<void>((resolve) => (tellRan = resolve));
    const slow: Operation = {
      ...readOperation,
      name: 'slow',
      run: async () => {
        await quickRan;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { output: { balance: '1' }, sentences: [] };
      },
    } as Operation;
    const quick: Operation = {
      ...readOperation,
      run: async () => {
        tellRan();
        return { output: { balance: '1' }, sentences: [] };
      },
    } as Operation;
    const operations = [slow, quick];
    const answers = await converse(asLines(call(1, 'spl.slow'), call(2, 'spl.read')), { operations });
    expect(answers.map(({ id }) => id)).toEqual([2, 1]);
  });

  it('passes the configured token on to operations', async () => {
    const callers: OperationCaller[] = [];
    const spy: Operation = {
      ...readOperation,
      run: async (_input: unknown, caller: OperationCaller) => {
        callers.push(caller);
        return { output: { balance: '1' }, sentences: [] };
      },
    } as Operation;
    await converse(asLines(call(1, 'spl.read')), { operations: [spy], token: 'mine' });
    await converse(asLines(call(1, 'spl.read')), { operations: [spy] });
    expect(callers).toEqual([{ token: 'mine' }, { token: undefined }]);
  });

  it('has no tools that would put a token in a transcript', async () => {
    const named = (name: string): Operation => ({ ...readOperation, name }) as Operation;
    const operations = ['challenge', 'login', 'ensureTransferQueueCrank'].map(named);
    const [answer] = await converse(asLines({ ...PING, method: 'tools/list' }), { operations });
    expect(answer?.result?.['tools']).toMatchObject([{ name: 'spl.ensureTransferQueueCrank' }]);
    expect(answer?.result?.['tools']).toHaveLength(1);
  });

  it('stops reading while the client does not read the responses', async () => {
    const input = new PassThrough();
    const output = new PassThrough({ highWaterMark: 1 });
    const server = serveStdio({
      operations: FIXTURE_OPERATIONS,
      input,
      output,
      logger: silentLogger,
      random: systemRandom,
    });
    input.write(asLines(PING));
    await new Promise((resolve) => setImmediate(resolve));
    expect(input.isPaused()).toBe(true);
    output.resume();
    input.end(asLines(PING));
    await server.done;
  });

  it('ends when it is closed or the client disconnects', async () => {
    for (const leave of [
      (_output: PassThrough, close: () => Promise<void>) => void close(),
      (output: PassThrough) => void output.destroy(new Error('EPIPE')),
    ]) {
      const output = new PassThrough();
      const input = new PassThrough();
      const { done, close } = serveStdio({
        operations: FIXTURE_OPERATIONS,
        input,
        output,
        logger: silentLogger,
        random: systemRandom,
      });
      leave(output, close);
      await done;
      expect(input.destroyed).toBe(true);
    }
  });
});
