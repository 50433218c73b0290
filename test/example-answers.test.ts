import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_ANSWERS } from '../src/service/openapi/example-answers.ts';
import { folderOfFile } from './folders.ts';
import { startStack, type StackProcess } from './stack-process.ts';

/** The answers that the description and /reference show are those of the built program, on a new ledger. */

/** Members that differ from ledger to ledger or from moment to moment. */
const OWN = new Set(['transactionBase64', 'recentBlockhash', 'lastValidBlockHeight', 'validator']);

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly example?: string }[];
  readonly requestBody?: { readonly content: Record<string, { readonly example: unknown }> };
}

let stack: StackProcess;
let operations: readonly (Described & { readonly path: string; readonly method: string })[];

beforeAll(async () => {
  stack = await startStack(await folderOfFile());
  const answer = await fetch(`${stack.serviceUrl}/doc`);
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Described>> };
  operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => ({ ...described, path, method })),
  );
});

afterAll(() => stack.stop());

/** Sends the example request of an operation. */
async function askExample(name: string): Promise<unknown> {
  const operation = operations.find(({ operationId }) => operationId === name);
  if (operation === undefined) throw new Error(`${name} is not described`);
  const { path, method, parameters = [], requestBody } = operation;
  const given = parameters.flatMap<[string, string]>(({ name: member, example }) =>
    example === undefined ? [] : [[member, example]],
  );
  const answer = await fetch(`${stack.serviceUrl}${path}?${new URLSearchParams(given)}`, {
    method: method.toUpperCase(),
    ...(requestBody && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requestBody.content['application/json']?.example),
    }),
  });
  return answer.json();
}

/** The answer with what is the ledger's own replaced by its type, and times by a word. */
function withoutOwn(answer: unknown): unknown {
  const text = JSON.stringify(answer, (name, value: unknown) => (OWN.has(name) ? typeof value : value));
  return JSON.parse(text.replace(/Timestamp: \d+/, 'Timestamp: now'));
}

describe('the example answer', () => {
  it.each(Object.entries(EXAMPLE_ANSWERS))('of %s is that of a new ledger', async (name, shown) => {
    expect(withoutOwn(await askExample(name))).toEqual(withoutOwn(shown));
  });
});
