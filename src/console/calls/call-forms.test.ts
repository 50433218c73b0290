import { expect, it } from 'vitest';
import { ROUTES } from '../../src/client/generated.ts';
import { asCode, formsOf } from './as-code.ts';
import type { Entry } from './entries.ts';

const ORIGIN = 'http://127.0.0.1:8787';

function entry(door: Entry['door'], call: string, input?: unknown): Entry {
  const rest = {
    seq: 1,
    atMs: 0,
    status: 200,
    code: null,
    ms: 1,
    requestBytes: 0,
    responseBytes: 0,
    requestId: 'r',
  };
  return { ...rest, door, call, ...(input === undefined ? {} : { arguments: input }) };
}

it('knows the name that the client has for every path', () => {
  const missing = Object.entries(ROUTES).filter(
    ([name, { method, path }]) =>
      asCode(entry('rest', `${method} ${path}`), 'Client', ORIGIN) !== `await payments.${name}(<arguments>);`,
  );
  expect(missing).toEqual([]);
});

it('finds the place of a REST call that is told by its operation', () => {
  expect(asCode(entry('rest', 'spl.getBalance'), 'curl', ORIGIN)).toContain(`${ORIGIN}/v1/spl/balance?`);
  expect(formsOf(entry('rest', 'spl.deposit'))).toEqual(['curl', 'Client', 'MCP']);
});

it('writes placeholders where no arguments are kept', () => {
  expect(asCode(entry('rest', 'POST /v1/spl/deposit'), 'curl', ORIGIN)).toContain('"<arguments>"');
  expect(asCode(entry('rest', 'GET /v1/spl/balance'), 'curl', ORIGIN)).toBe(
    `curl -s '${ORIGIN}/v1/spl/balance?<arguments>'`,
  );
});

it('lets nothing out of the quotes of a shell', () => {
  const text = asCode(entry('base', 'getSlot', ["'; rm -rf ~ #"]), 'curl', ORIGIN);
  expect(text).toContain(String.raw`'\''; rm -rf ~ #`);
});

it('offers the forms that a door has', () => {
  expect(formsOf(entry('base', 'getSlot'))).toEqual(['curl']);
  expect(formsOf(entry('mcp', 'spl.deposit'))).toEqual(['curl', 'Client', 'MCP']);
  expect(formsOf(entry('rest', 'GET /reference'))).toEqual(['curl']);
});
