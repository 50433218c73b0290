import { describe, expect, it } from 'vitest';
import { readEnvelope, writeFailure, writeSuccess, writeUnversionedFailure } from './envelope.ts';
import { RpcError } from './errors.ts';

describe('readEnvelope()', () => {
  it('keeps ids with their type and digits', () => {
    const idOf = (text: string): unknown =>
      readEnvelope(`{"jsonrpc":"2.0","id":${text},"method":"m","params":[1]}`);
    const call = { kind: 'method', method: 'm', params: [1n] };
    expect(idOf('18446744073709551615')).toEqual({ ...call, id: 18446744073709551615n });
    expect(idOf('"1"')).toEqual({ ...call, id: '1' });
    expect(idOf('null')).toEqual({ ...call, id: null });
  });

  // Serde reads a call as a struct, which may not name a member twice; what is inside of params is a map,
  // which may.
  it.each<[string, string, unknown]>([
    ['method', '{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}', { kind: 'invalid', id: 1n }],
    ['params', '{"jsonrpc":"2.0","id":1,"method":"a","params":[],"params":[]}', { kind: 'invalid', id: 1n }],
    ['id', '{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}', undefined],
    [
      'something in params',
      '{"jsonrpc":"2.0","id":1,"method":"a","params":[{"x":1,"x":2}]}',
      { kind: 'method', id: 1n, method: 'a', params: [new Map([['x', 2n]])] },
    ],
  ])('treats a repeated %s as jsonrpc-core does', (_, body, call) => {
    expect(readEnvelope(body)).toEqual(call);
  });

  it('rejects a whole batch for one item that is not a call', () => {
    expect(readEnvelope('[{"jsonrpc":"2.0","id":1,"method":"a"},[]]')).toBeUndefined();
    expect(readEnvelope('[{"jsonrpc":"2.0","id":1,"method":"a"},{"id":-1}]')).toBeUndefined();
  });

  it('treats a null version as missing', () => {
    expect(readEnvelope('{"jsonrpc":null,"id":1,"method":"a"}')).toEqual({ kind: 'unversioned', id: 1n });
    expect(readEnvelope('{"method":"a"}')).toEqual({ kind: 'notification' });
  });
});

describe('answers', () => {
  it('have the members of jsonrpc-core in its order and never both result and error', () => {
    const error = new RpcError(-32016, 'late', { contextSlot: 5 });
    expect(writeSuccess(null, 'a"b')).toBe('{"jsonrpc":"2.0","result":null,"id":"a\\"b"}');
    expect(writeFailure(error, 7n)).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32016,"message":"late","data":{"contextSlot":5}},"id":7}',
    );
    expect(writeUnversionedFailure(new RpcError(1, 'x'), null)).toBe(
      '{"error":{"code":1,"message":"x"},"id":null}',
    );
  });
});
