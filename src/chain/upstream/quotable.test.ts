import { describe, expect, it } from 'vitest';
import { quoteSafely } from './upstream-fault.ts';

const SOURCE = new URL('https://user12:pa%2Fssword@rpc.example.com:8443/v2/PathKey99?api-key=QueryKey77&x=1');

describe('quoteSafely', () => {
  it.each([
    'Transaction simulation failed: Blockhash not found',
    'Program log: v2 of the program, x=1',
    'custom program error: 0x1',
    'Program log: this is no api-key',
  ])('keeps %j', (text) => {
    expect(quoteSafely(text, SOURCE)).toBe(text);
  });

  it.each([
    'see https://elsewhere.example/help',
    'no such host: rpc.example.com',
    'bad key QueryKey77',
    'bad key querykey77',
    'not found: PathKey99',
    'user12 is blocked',
    'wrong password: pa/ssword',
    'wrong password: pa%2Fssword',
  ])('removes %j', (text) => {
    expect(quoteSafely(text, SOURCE)).toBeNull();
  });

  it.each([
    ['its credentials in encoded form', 'Program log: Basic dXNlcjEyOnBhL3Nzd29yZA==', SOURCE],
    ['its encoded credentials without their padding', 'bad header dXNlcjEyOnBhL3Nzd29yZA', SOURCE],
    ['a key that is the whole query', 'bad key BareKey55', new URL('https://rpc.example.com/?BareKey55')],
    [
      'a key in the encoding of the query',
      'in ?key=Query%2FKey',
      new URL('https://rpc.example.com/?key=Query%2FKey'),
    ],
  ])('removes %s (bug: it was passed on to the caller)', (_, text, source) => {
    expect(quoteSafely(text, source)).toBeNull();
  });

  it('truncates long text', () => {
    expect(quoteSafely('y'.repeat(1_000), SOURCE)).toBe(`${'y'.repeat(300)}...`);
  });
});
