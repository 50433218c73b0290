import { describe, expect, it } from 'vitest';
import { writeJson } from '../../json/write-json.ts';
import { NATIVE_MINT } from '../../programs/addresses.ts';
import { CLOCK_SYSVAR } from '../../programs/sysvars.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { littleEndian } from '../testing/parse-call.ts';
import { accountWith, mintData, withExtensions } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';
import { findTokenUnit, showTokenAmount } from './token-amount.ts';

const MINT = addressFilledWith(1);
const YEAR_SECONDS = 31_556_736;
const NOW = 1_750_000_000;

const float = (value: number): Buffer => Buffer.from(Float64Array.of(value).buffer);
const i64 = (value: number): number[] => littleEndian(BigInt(value), 8);

/** Interest of `rate` basis points a year from `since` on. */
const interest = (since: number, rate: number): [number, Uint8Array] => [
  10,
  Uint8Array.from([
    ...Buffer.alloc(32),
    ...i64(since),
    ...littleEndian(BigInt(rate), 2),
    ...i64(since),
    ...littleEndian(BigInt(rate), 2),
  ]),
];

/** A multiplier, and another one from `from` on. */
const multiplier = (first: number, from: number, next: number): [number, Uint8Array] => [
  25,
  Buffer.concat([Buffer.alloc(32), float(first), Uint8Array.from(i64(from)), float(next)]),
];

/** How `amount` of a mint with an extension is shown at NOW. */
function shown(amount: bigint, decimals: number, extension: [number, Uint8Array]): string {
  const lookUp = (address: Address): Account | null => {
    if (address === CLOCK_SYSVAR) return accountWith(Uint8Array.from([...Buffer.alloc(32), ...i64(NOW)]));
    return address === MINT ? accountWith(withExtensions(mintData({ decimals }), 1, [extension])) : null;
  };
  const unit = findTokenUnit(MINT, lookUp);
  return writeJson(unit === undefined ? null : showTokenAmount(amount, unit));
}

const amountText = (amount: bigint, decimals: number, float64: string, text: string): string =>
  `{"amount":"${amount}","decimals":${decimals},"uiAmount":${float64},"uiAmountString":"${text}"}`;

describe('amounts of a mint', () => {
  it('without such extensions are whole tokens', () => {
    const extension: [number, Uint8Array] = [9, new Uint8Array(0)];
    expect(shown(1_500_000n, 6, extension)).toBe(amountText(1_500_000n, 6, '1.5', '1.5'));
  });

  it('with interest grow continuously', () => {
    // e^0.05 after a year at 5 %, e^-0.05 at -5 %.
    expect(shown(10n ** 18n, 18, interest(NOW - YEAR_SECONDS, 500))).toContain(
      '"uiAmountString":"1.05127109637602',
    );
    expect(shown(10n ** 6n, 6, interest(NOW - YEAR_SECONDS, -500))).toBe(
      amountText(10n ** 6n, 6, '0.951229', '0.951229'),
    );
    expect(shown(10n ** 6n, 6, interest(NOW, 500))).toBe(amountText(10n ** 6n, 6, '1.0', '1'));
  });

  it('with a multiplier are multiplied, parts of a base unit cut off', () => {
    expect(shown(3n, 1, multiplier(1.5, NOW + 1, 2))).toBe(amountText(3n, 1, '0.4', '0.4'));
    expect(shown(3n, 1, multiplier(1.5, NOW, 2))).toBe(amountText(3n, 1, '0.6', '0.6'));
    expect(shown(100n, 0, multiplier(2, NOW + 1, 3))).toBe(amountText(100n, 0, '200.0', '200'));
  });

  it('beyond doubles are not numbers', () => {
    expect(shown(2n ** 64n - 1n, 0, multiplier(1e300, NOW + 1, 1))).toBe(
      amountText(2n ** 64n - 1n, 0, 'null', 'inf'),
    );
    expect(shown(2n ** 63n, 0, multiplier(1e3, NOW + 1, 1))).toContain(
      '"uiAmountString":"9223372036854775808000"',
    );
  });

  it('with a malformed extension are not scaled', () => {
    expect(shown(5n, 1, [10, new Uint8Array(3)])).toBe(amountText(5n, 1, '0.5', '0.5'));
  });
});

describe('findTokenUnit()', () => {
  it('needs no account for wrapped SOL, and no clock without time-dependent extensions', () => {
    expect(findTokenUnit(NATIVE_MINT, () => null)).toEqual({ decimals: 9 });
    expect(findTokenUnit(MINT, () => accountWith(mintData({ decimals: 3 })))).toEqual({ decimals: 3 });
  });

  it('finds nothing without a mint', () => {
    expect(findTokenUnit(MINT, () => null)).toBeUndefined();
    expect(findTokenUnit(MINT, () => accountWith(new Uint8Array(3)))).toBeUndefined();
  });
});
