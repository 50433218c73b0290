import { describe, expect, it } from 'vitest';
import { formatCount, formatDecimal, formatSigned, parseDecimal } from './decimal.ts';

describe('formatDecimal()', () => {
  it('shows the significant decimals and no others', () => {
    expect([0n, 1n, 3_500_000n, 1_000_000n].map((base) => formatDecimal(base, 6))).toEqual([
      '0',
      '0.000001',
      '3.5',
      '1',
    ]);
  });

  it('never rounds, up to the largest u64', () => {
    expect(formatDecimal(2n ** 64n - 1n, 6)).toBe('18,446,744,073,709.551615');
    expect(formatDecimal(2n ** 64n - 1n, 0)).toBe('18,446,744,073,709,551,615');
  });

  it('writes a real minus sign, and a plus sign on request', () => {
    expect([formatSigned(-3_500_000n, 6), formatSigned(3_500_000n, 6), formatSigned(0n, 6)]).toEqual([
      '\u22123.5',
      '+3.5',
      '0',
    ]);
  });
});

describe('formatCount()', () => {
  it('groups thousands', () => {
    expect([formatCount(999), formatCount(2103), formatCount(1_234_567n)]).toEqual([
      '999',
      '2,103',
      '1,234,567',
    ]);
  });
});

describe('parseDecimal()', () => {
  it('reads typed numbers exactly', () => {
    expect(parseDecimal('1.25', 6)).toBe(1_250_000n);
    expect(parseDecimal(' 1,000.50 ', 6)).toBe(1_000_500_000n);
    expect(parseDecimal('1,234,567', 6)).toBe(1_234_567_000_000n);
    expect(parseDecimal(formatDecimal(2n ** 64n - 1n, 0), 0)).toBe(2n ** 64n - 1n);
    expect(parseDecimal('7.', 0)).toBe(7n);
  });

  it.each(['1,25', '3,5', ',,1,', '1,', ',100', '1,0000', '1000,000', '1,000,00', '1.000,5'])(
    'rejects %j, because a comma is not a point and must not be misplaced',
    (text) => {
      expect(parseDecimal(text, 6)).toBeNull();
    },
  );

  it.each(['', '-1', '1e3', '0x10', '1.2345678', '18446744073709.551616', 'ten', '1 2'])(
    'rejects %j',
    (text) => {
      expect(parseDecimal(text, 6)).toBeNull();
    },
  );
});
