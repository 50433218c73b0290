import { describe, expect, it } from 'vitest';
import type { PaymentLimits } from './payments.ts';
import { privatePayments, readLimits } from './plugin.ts';

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const PLACES = { url: 'http://127.0.0.1:1', base: 'http://127.0.0.1:1' };

const from = (limits: unknown) => () => readLimits(limits as PaymentLimits);

describe('readLimits()', () => {
  it('has no limits by default', () => {
    expect(readLimits(undefined)).toEqual({});
    expect(readLimits({ maxAmount: undefined })).toEqual({});
  });

  it('returns bigints and lists unchanged', () => {
    const limits = { maxAmount: 0n, maxLamports: 5_000n, mints: [MINT], recipients: [], programs: [MINT] };
    expect(readLimits(limits)).toEqual(limits);
  });

  it('copies the limits, so that later changes have no effect', () => {
    const mints = [MINT];
    const limits = { maxAmount: 1n, mints };
    const read = readLimits(limits);
    limits.maxAmount = 2n;
    mints.push('another');
    expect(read).toEqual({ maxAmount: 1n, mints: [MINT] });
  });

  it.each(['maxAmount', 'maxLamports'])(
    'accepts only a bigint of 0 or more for %s (bug: NaN and "1.5" were no limit)',
    (name) => {
      for (const value of [NaN, Infinity, 1, '1.5', '1 USDC', '15', null, -1n, true, {}, [1n]]) {
        expect(from({ [name]: value })).toThrow(
          new TypeError(`limits.${name} must be a bigint of 0n or more, such as 1_500_000n`),
        );
      }
    },
  );

  it.each(['mints', 'recipients', 'validators', 'programs'])(
    'accepts only a list of strings for %s (bug: a string allowed each of its parts)',
    (name) => {
      for (const value of ['alice.pay', null, {}, [1], [undefined], new Set([MINT])]) {
        expect(from({ [name]: value })).toThrow(new TypeError(`limits.${name} must be an array of strings`));
      }
    },
  );

  it('rejects an unknown limit', () => {
    expect(from({ maxamount: 1n })).toThrow(
      new TypeError(
        'limits.maxamount is not a limit: the limits are maxAmount, maxLamports, mints, recipients, validators, programs',
      ),
    );
  });

  it.each([null, 5n, 'maxAmount', [1n], new Map([['maxAmount', 1n]])])('rejects %s', (limits) => {
    expect(from(limits)).toThrow(
      new TypeError(
        'limits must be an object with any of these keys: maxAmount, maxLamports, mints, recipients, validators, programs',
      ),
    );
  });

  it('is called by privatePayments(), before a client exists', () => {
    const limits = { maxAmount: '1.5' } as unknown as PaymentLimits;
    expect(() => privatePayments({ ...PLACES, limits })).toThrow(TypeError);
  });
});
