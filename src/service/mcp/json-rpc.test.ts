import { describe, expect, it } from 'vitest';
import { NumberLiteral } from '../../json/plain-json.ts';
import { readMessage, writeError, writeResult } from './json-rpc.ts';

describe('readMessage', () => {
  it.each([
    [
      { jsonrpc: '2.0', id: 1, method: 'm', params: [] },
      { kind: 'request', id: 1, method: 'm', params: [] },
    ],
    [
      { jsonrpc: '2.0', id: null, method: 'm', x: 1 },
      { kind: 'request', id: null, method: 'm', params: undefined },
    ],
    [
      { jsonrpc: '2.0', method: 'm' },
      { kind: 'notification', method: 'm', params: undefined },
    ],
    [{ jsonrpc: '2.0', id: 1, result: null }, { kind: 'response' }],
    [{ jsonrpc: '2.0', id: 'a', error: {} }, { kind: 'response' }],
  ])('reads %j', (value, message) => {
    expect(readMessage(value)).toEqual(message);
  });

  it.each([
    [undefined],
    [null],
    [[]],
    ['2.0'],
    [{ jsonrpc: '2.0' }],
    [{ jsonrpc: '2.0', id: 1 }],
    [{ jsonrpc: '2.0', result: {} }],
    [{ jsonrpc: '2.0', id: {}, result: {} }],
    [{ jsonrpc: '2.0', id: 1, method: 5, result: {} }],
    [{ jsonrpc: '2.0', id: 1, method: new NumberLiteral('1.0') }],
    [new NumberLiteral('1.0')],
  ])('rejects %j as a message', (value) => {
    expect(readMessage(value)).toBeUndefined();
  });
});

describe('writing', () => {
  it('escapes the id and does not change the result', () => {
    expect(writeResult('"\ud800', '{"a":1}')).toBe('{"jsonrpc":"2.0","id":"\\"\\ud800","result":{"a":1}}');
  });

  it('repeats a number with its original digits', () => {
    const message = readMessage({ jsonrpc: '2.0', id: new NumberLiteral('9007199254740993'), method: 'm' });
    const id = message?.kind === 'request' ? message.id : null;
    expect(writeResult(id, '{}')).toBe('{"jsonrpc":"2.0","id":9007199254740993,"result":{}}');
    expect(writeError(id, -32600, 'x')).toContain('"id":9007199254740993,');
  });

  it('omits missing data', () => {
    expect(writeError(null, -32600, 'x')).toBe(
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}',
    );
    expect(JSON.parse(writeError(1, -32600, 'x', { a: 1 }))).toMatchObject({ error: { data: { a: 1 } } });
  });
});
