import { describe, expect, it } from 'vitest';
import { formatBaseUnits } from './common-mints.ts';

describe('formatBaseUnits', () => {
  it.each([
    [0n, 6, '0'],
    [1n, 6, '0.000001'],
    [1_500_000n, 6, '1.5'],
    [1_000_000n, 6, '1'],
    [10n, 0, '10'],
    [18_446_744_073_709_551_615n, 9, '18446744073.709551615'],
    [5n, 20, '0.00000000000000000005'],
  ])('writes %s with %i decimals as %s', (amount, decimals, text) => {
    expect(formatBaseUnits(amount, decimals)).toBe(text);
  });
});
