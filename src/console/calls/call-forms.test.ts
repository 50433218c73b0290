import { expect, it } from 'vitest';
import { ROUTES } from '../../client/generated.ts';
import type { LoggedCall } from '../answers.ts';
import { formsOf } from './call-forms.ts';

const ORIGIN = 'http://127.0.0.1:8787';

function entry(door: LoggedCall['door'], call: string, input?: unknown): LoggedCall {
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

const textOf = (call: LoggedCall, form: string): string | undefined =>
  formsOf(call, ORIGIN).find(({ name }) => name === form)?.text;

const namesOf = (call: LoggedCall): string[] => formsOf(call, ORIGIN).map(({ name }) => name);

it('returns the client method for every path', () => {
  const missing = Object.entries(ROUTES).filter(
    ([name, { method, path }]) =>
      textOf(entry('rest', `${method} ${path}`), 'Client') !== `await payments.${name}(<arguments>);`,
  );
  expect(missing).toEqual([]);
});

it('finds the path of a REST call by its operation', () => {
  expect(textOf(entry('rest', 'spl.getBalance'), 'curl')).toContain(`${ORIGIN}/v1/spl/balance?`);
  expect(namesOf(entry('rest', 'spl.deposit'))).toEqual(['curl', 'Client', 'MCP']);
});

it('writes placeholders if no arguments are stored', () => {
  expect(textOf(entry('rest', 'POST /v1/spl/deposit'), 'curl')).toContain('"<arguments>"');
  expect(textOf(entry('rest', 'GET /v1/spl/balance'), 'curl')).toBe(
    `curl -s '${ORIGIN}/v1/spl/balance?<arguments>'`,
  );
});

it('escapes shell quotes', () => {
  const text = textOf(entry('base', 'getSlot', ["'; rm -rf ~ #"]), 'curl');
  expect(text).toContain(String.raw`'\''; rm -rf ~ #`);
});

it('offers the forms that an endpoint supports', () => {
  expect(namesOf(entry('base', 'getSlot'))).toEqual(['curl']);
  expect(namesOf(entry('mcp', 'spl.deposit'))).toEqual(['curl', 'Client', 'MCP']);
  expect(namesOf(entry('rest', 'GET /reference'))).toEqual(['curl']);
});
