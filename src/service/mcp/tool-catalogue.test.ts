import { describe, expect, it } from 'vitest';
import { recordErrors } from '../../../test/conformance/running-service.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { silentLogger } from '../../ports/logger.ts';
import type { JsonObject } from '../input/json-object.ts';
import { createToolCatalogue, textBlock, type Tool } from './tools.ts';

const CALLER = { headers: {}, token: undefined, requestId: 'request-1', refusalFor: () => undefined };

function toolNamed(name: string, call: Tool['call']): Tool {
  return {
    definition: { name, description: 'A tool.', inputSchema: { type: 'object' } },
    effect: 'read',
    call,
  };
}

const greeting = toolNamed('spl.a.greet', async () => ({ content: [textBlock('Hello.')] }));

async function run(tool: Tool, logger = silentLogger): Promise<JsonObject> {
  const text = await createToolCatalogue([tool], logger).find(tool.definition.name)?.({}, CALLER, {
    frame: 1,
  });
  return JSON.parse(text ?? '') as JsonObject;
}

describe('createToolCatalogue', () => {
  it.each([
    ['spl.a.greet', true],
    ['spl_a_greet', true],
    ['spl_a.greet', false],
    ['SPL.A.GREET', false],
    ['__proto__', false],
    ['', false],
  ])('finds %s: %s', (name, isFound) => {
    expect(createToolCatalogue([greeting], silentLogger).find(name) !== undefined).toBe(isFound);
  });

  it('lists the dotted name only', () => {
    const { definitions } = createToolCatalogue([greeting], silentLogger);
    expect(definitions.map(({ name }) => name)).toEqual(['spl.a.greet']);
  });

  it('rejects names that are equal with underscores', () => {
    const tools = [toolNamed('a.b', greeting.call), toolNamed('a_b', greeting.call)];
    expect(() => createToolCatalogue(tools, silentLogger)).toThrow('two tools answer to a_b');
  });

  it('puts the result into its frame', async () => {
    expect(await run(greeting)).toEqual({ frame: 1, content: [{ type: 'text', text: 'Hello.' }] });
  });

  it('ends the content with the JSON of the structured content (bug: most hosts gave the model no transaction)', async () => {
    const structuredContent = { text: 'a "b" \\ \u2028', list: [1, { a: null }], left: undefined };
    const tool = toolNamed('x', async () => ({ content: [textBlock('Built.')], structuredContent }));
    const { content, ...rest } = await run(tool);
    expect(rest).toEqual({ frame: 1, structuredContent: JSON.parse(JSON.stringify(structuredContent)) });
    expect(content).toEqual([textBlock('Built.'), textBlock(JSON.stringify(structuredContent))]);
  });

  it('returns the message and code of a refusal', async () => {
    const refusal = new ServiceError('MINT_NOT_FOUND', 'There is no such mint');
    const result = await run(toolNamed('x', () => Promise.reject(refusal)));
    expect(result).toEqual({
      frame: 1,
      content: [{ type: 'text', text: 'There is no such mint (MINT_NOT_FOUND)' }],
      isError: true,
    });
  });

  it.each<readonly [string, Tool['call']]>([
    [
      'throws',
      () => {
        throw new TypeError('secret');
      },
    ],
    ['rejects', () => Promise.reject(new TypeError('secret'))],
    ['returns what JSON cannot express', async () => ({ content: [], structuredContent: { amount: 5n } })],
  ])('answers for a tool that %s with a fixed text and logs the stack', async (_name, call) => {
    const logger = recordErrors();
    const result = await run(toolNamed('x', call), logger);
    const text = 'x failed unexpectedly; look up request id request-1 in the log of the service.';
    expect(result).toEqual({ frame: 1, content: [{ type: 'text', text }], isError: true });
    expect(logger.lines).toHaveLength(1);
    expect(JSON.parse(logger.lines[0] ?? '')).toMatchObject({
      requestId: 'request-1',
      tool: 'x',
      error: 'TypeError',
    });
    expect(logger.lines[0]).not.toContain('secret');
  });
});
