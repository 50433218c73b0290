import { describe, expect, it } from 'vitest';
import { USDC_MINT } from '../../programs/addresses.ts';
import { platformFeeOf, type PlatformFeeRequest } from './fees.ts';

const account = USDC_MINT;
const request: PlatformFeeRequest = {
  platformFeeBps: 100,
  platformFeeAccount: account,
  fromBalance: 'base',
  amount: 1_000_000n,
  exactOut: true,
};

describe('platformFeeOf', () => {
  it.each<[Partial<PlatformFeeRequest>, bigint]>([
    [{}, 10_000n],
    [{ platformFeeBps: 1 }, 100n],
    [{ platformFeeBps: 10_000 }, 1_000_000n],
    [{ platformFeeBps: 9_999, exactOut: false }, 999_900n],
    [{ amount: 199n }, 1n],
    [{ amount: 2n ** 64n - 1n, platformFeeBps: 3 }, ((2n ** 64n - 1n) * 3n) / 10_000n],
  ])('of %o is %i base units, rounded down', (change, amount) => {
    expect(platformFeeOf({ ...request, ...change })).toEqual({ amount, account });
  });

  it.each<[Partial<PlatformFeeRequest>]>([
    [{ platformFeeBps: undefined }],
    [{ platformFeeBps: 0 }],
    [{ platformFeeBps: 0, platformFeeAccount: undefined, fromBalance: 'ephemeral' }],
    [{ amount: 99n }],
  ])('is zero for %o', (change) => {
    expect(platformFeeOf({ ...request, ...change })).toBeNull();
  });

  it.each<[Partial<PlatformFeeRequest>, string]>([
    [{ platformFeeBps: -1 }, 'platformFeeBps must be an integer between 0 and 10000'],
    [{ platformFeeBps: 10_001 }, 'platformFeeBps must be an integer between 0 and 10000'],
    [{ platformFeeBps: 0.5 }, 'platformFeeBps must be an integer between 0 and 10000'],
    [
      { platformFeeAccount: undefined, fromBalance: 'ephemeral' },
      'platformFeeAccount is required when platformFeeBps is greater than 0',
    ],
    [{ fromBalance: 'ephemeral' }, 'platform fees are supported only when fromBalance is "base"'],
    [
      { platformFeeBps: 10_000, exactOut: false },
      'platform fee must be less than amount when exactOut is false',
    ],
    [{ amount: 0n, exactOut: false }, 'platform fee must be less than amount when exactOut is false'],
  ])('rejects %o', (change, message) => {
    expect(() => platformFeeOf({ ...request, ...change })).toThrow(
      expect.objectContaining({ code: 'INVALID_PLATFORM_FEE', message }),
    );
  });
});
