import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { address, amount, cluster, escrowIndex, flag } from './fields.ts';

/** The result of a field for a value: its only error, or the parsed value. */
function answer(field: z.ZodType, value: unknown): unknown {
  const { success, data, error } = field.safeParse(value);
  if (success) return data;
  expect(error.issues).toHaveLength(1);
  return error.issues[0]?.message;
}

describe('amount', () => {
  const field = amount('How much.');

  it.each([
    [1, 1n],
    ['1', 1n],
    [9_007_199_254_740_991, 9_007_199_254_740_991n],
    ['9007199254740992', 9_007_199_254_740_992n],
    ['18446744073709551615', 18_446_744_073_709_551_615n],
  ])('accepts %j exactly', (value, expected) => {
    expect(answer(field, value)).toBe(expected);
  });

  it.each([
    0,
    -1,
    1.5,
    9_007_199_254_740_992,
    Number.NaN,
    '',
    '0',
    '01',
    '+1',
    '1e3',
    '1.0',
    ' 1',
    '18446744073709551616',
    '99999999999999999999',
    '100000000000000000000',
    null,
    undefined,
    true,
    [1],
    {},
  ])('rejects %j with the whole rule and nothing else', (value) => {
    expect(answer(field, value)).toMatch(
      /^must be a whole number of base units from 1 to 18446744073709551615:/,
    );
  });

  it('has the bounds of the number in its JSON Schema', () => {
    const schema = z.toJSONSchema(field, { io: 'input' });
    expect(schema.anyOf?.[0]).toMatchObject({ type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991 });
  });
});

describe('address', () => {
  const field = address('A wallet.');

  it('accepts the base58 text of 32 bytes', () => {
    const text = '3iH1ViqSdcJTdpJgM71ZRRcgxhdrh3fWXizxq5H1i2Yb';
    expect(answer(field, text)).toBe(text);
  });

  it.each(['', 'I', '1'.repeat(31), '1'.repeat(33), '1'.repeat(45), 'z'.repeat(44), 7, null, undefined, []])(
    'rejects %j',
    (value) => {
      expect(answer(field, value)).toMatch(/^must be a base58 Solana address/);
    },
  );
});

describe('escrowIndex', () => {
  it.each([0, 255])('accepts %i', (value) => expect(answer(escrowIndex(''), value)).toBe(value));
  it.each([-1, 256, 0.5, '1', null, 2 ** 53])('rejects %j', (value) => {
    expect(escrowIndex('').safeParse(value).error?.issues[0]?.message).toBe(
      'must be an integer from 0 to 255',
    );
  });
});

describe('flag', () => {
  it.each([true, false])('accepts %s', (value) => expect(answer(flag(''), value)).toBe(value));
  it.each(['true', 0, null])('rejects %j', (value) => {
    expect(answer(flag(''), value)).toBe('must be true or false');
  });
});

describe('cluster', () => {
  it('names the clusters, the default first', () => {
    const field = cluster(['localnet', 'devnet']);
    expect(field.meta()?.description).toBe('The cluster to work on: localnet, devnet. Default: localnet.');
    expect(answer(field, 'DevNet ')).toBe('DevNet ');
    expect(answer(field, 5)).toBe('must be one of: localnet, devnet');
    expect(answer(field, 'x'.repeat(257))).toBe('must be one of: localnet, devnet');
  });
});
