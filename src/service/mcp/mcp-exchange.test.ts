import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../ports/logger.ts';
import { answerMessage, createLegacyEra, createModernEra } from './exchange.ts';
import { createToolCatalogue, textBlock } from './tools.ts';

const CALLER = { headers: {}, token: undefined, requestId: 'test', refusalFor: () => undefined };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

const echo = {
  definition: { name: 'echo', description: 'Echoes.', inputSchema: { type: 'object' } },
  effect: 'read' as const,
  call: async (args: object) => ({ content: [textBlock(JSON.stringify(args))] }),
};

const tools = createToolCatalogue([echo], silentLogger);
const eras = { legacy: createLegacyEra(tools), modern: createModernEra(tools) };

describe('answerMessage()', () => {
  it('answers synchronously unless a tool runs', () => {
    expect(answerMessage(eras, CALLER, PING)).toEqual({
      status: 200,
      body: '{"jsonrpc":"2.0","id":1,"result":{}}',
      contentType: 'application/json',
    });
    const call = { ...PING, method: 'tools/call', params: { name: 'echo' } };
    expect(answerMessage(eras, CALLER, call)).toBeInstanceOf(Promise);
  });

  it.each([1, -0.5, null, 'a"b', 'größer €'])('lists the tools with the id %j', async (id) => {
    const { body } = await answerMessage(eras, CALLER, {
      jsonrpc: '2.0',
      id,
      method: 'tools/list',
    });
    expect(JSON.parse(String(body))).toEqual({
      jsonrpc: '2.0',
      id,
      result: { tools: tools.definitions },
    });
  });

  it.each([
    ['ecko', 'Unknown tool: ecko. Did you mean echo?'],
    ['nothing like it', 'Unknown tool: nothing like it. Known tools: echo'],
    ['a\u202eb', 'Unknown tool: a\\u{202e}b. Known tools: echo'],
  ])('suggests the intended name for the unknown tool %j', async (name, message) => {
    const call = { ...PING, method: 'tools/call', params: { name } };
    const { body = '' } = await answerMessage(eras, CALLER, call);
    expect(JSON.parse(String(body))).toMatchObject({ id: 1, error: { code: -32602, message } });
  });

  it.each(['', null, undefined])('treats the cursor %j as the first page', async (cursor) => {
    const list = { ...PING, method: 'tools/list', params: { cursor } };
    expect(await answerMessage(eras, CALLER, list)).toMatchObject({
      body: expect.stringContaining(`"tools":[`),
    });
  });

  it('rethrows a bug instead of answering with it', () => {
    const broken = {
      ...eras,
      legacy: {
        unknownMethodStatus: 200,
        methods: new Map([
          [
            'ping',
            () => {
              throw new TypeError('a bug');
            },
          ],
        ]),
      },
    };
    expect(() => answerMessage(broken, CALLER, PING)).toThrow(TypeError);
  });

  it('separates overlapping requests', async () => {
    const asked = [1, 2, 3].map((id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'echo', arguments: { id } },
    }));
    const replies = await Promise.all(asked.map((body) => answerMessage(eras, CALLER, body)));
    expect(replies.map(({ body }) => body)).toEqual(
      [1, 2, 3].map(
        (id) =>
          `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"{\\"id\\":${id}}"}]}}`,
      ),
    );
  });
});
