import { describe, expect, it } from 'vitest';
import { readJson } from './transport.ts';
import { curlOf, slotOf, wireLine, wordOf, type Wire } from './wire.ts';

const WIRE: Wire = {
  method: 'getAccountInfo',
  params: ["it's", { encoding: 'base64' }],
  ledger: 'rollup',
  token: 'Alice',
  calls: 1,
  ms: 3.4,
  answer: 'null',
  slot: 7,
};

describe('the short form of an answer', () => {
  it.each([
    [null, 'null'],
    [{ context: { slot: 1 }, value: null }, 'null'],
    [[], 'empty list'],
    [[1, 2], '2 in a list'],
    [{ context: { slot: 1 }, value: [null] }, 'null'],
    [{ context: { slot: 1 }, value: [{ confirmationStatus: 'finalized', err: null }] }, 'Ok'],
    [1_234_567, '1,234,567'],
    [{ a: 'é' }, '10 bytes'],
  ])('%j is %s', (result, word) => {
    expect(wordOf(result)).toBe(word);
  });

  it('keeps every digit of a number that a double cannot hold', () => {
    expect(wordOf(2n ** 64n - 1n)).toBe('18,446,744,073,709,551,615');
  });

  it('has a slot only if the answer contains one', () => {
    expect([slotOf({ context: { slot: 7 }, value: 1 }), slotOf({ slot: 7 }), slotOf(null)]).toEqual([
      7,
      null,
      null,
    ]);
  });
});

describe('the request behind a cell', () => {
  it('shows the method, the answer, whose token, and how long it took', () => {
    expect(wireLine(WIRE, (address) => address)).toBe('getAccountInfo → null · Alice’s token · 3 ms');
    expect(wireLine({ ...WIRE, token: null, ms: 0.2 }, String)).toBe(
      'getAccountInfo → null · no token · <1 ms',
    );
  });

  it('as a curl command is one shell word whatever it contains, with a placeholder for the token', () => {
    expect(curlOf(WIRE, 'http://127.0.0.1:8787')).toBe(
      `curl -s http://127.0.0.1:8787/console/rpc/rollup -H 'Content-Type: application/json' -H "Authorization: Bearer $TOKEN" -d '{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["it'\\''s",{"encoding":"base64"}]}'`,
    );
    expect(curlOf({ ...WIRE, token: null }, 'http://x')).not.toContain('Authorization');
  });
});

describe('JSON of a ledger', () => {
  it('never rounds a whole number: it is exact, or unknown', () => {
    const read = readJson(
      '{"a":18446744073709551615,"b":9007199254740991,"c":1.5,"d":-18446744073709551615}',
    ) as Record<string, unknown>;
    expect(read['b']).toBe(9_007_199_254_740_991);
    expect(read['c']).toBe(1.5);
    expect([18_446_744_073_709_551_615n, null]).toContain(read['a']);
    expect([-18_446_744_073_709_551_615n, null]).toContain(read['d']);
  });

  it.each([
    '{"a": 123456789012345678}',
    '[1,-9007199254740993]',
    ' 12345678901234567 ',
    '{"a":[{"b":1e300}]}',
    '[\n  1.5E20]',
  ])('checks the numbers of %s one by one', (text) => {
    expect(
      JSON.stringify(readJson(text), (_, value: unknown) =>
        typeof value === 'bigint' ? `${value}n` : value,
      ),
    ).not.toBe(JSON.stringify(JSON.parse(text)));
  });

  it('reads numbers that fit a double as JSON does', () => {
    const text = '{"a":[0.1234567890123456,9007199254740991,"x, 1e5"],"b":-12.5,"c":"k:12345678901234567"}';
    expect(readJson(text)).toEqual(JSON.parse(text));
  });
});
