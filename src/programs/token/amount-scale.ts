import { ByteReader, tryParse } from '../../solana/byte-reader.ts';
import type { TokenExtension } from './mint-extensions.ts';

/** Converts base units to a display amount, for mints that need more than their decimals. */
export type AmountScale = (amount: bigint, decimals: number) => string;

/** Extension types that change display amounts (`ExtensionType` in `spl-token-2022-interface`). */
const INTEREST_BEARING_CONFIG = 10;
const SCALED_UI_AMOUNT_CONFIG = 25;

const SCALES: Readonly<Record<number, (config: Uint8Array, now: bigint) => AmountScale>> = {
  [INTEREST_BEARING_CONFIG]: (config, now) => interestScale(config, now),
  [SCALED_UI_AMOUNT_CONFIG]: (config, now) => multiplierScale(config, now),
};

/**
 * Returns the scale of a mint's amounts; undefined if its decimals are enough. The first extension counts.
 *
 * @param now Unix seconds.
 */
export function amountScaleOf(extensions: readonly TokenExtension[], now: bigint): AmountScale | undefined {
  for (const { type, value } of extensions) {
    const scale = tryParse(() => SCALES[type]?.(value, now));
    if (scale !== undefined) return scale;
  }
  return undefined;
}

/** `SECONDS_PER_YEAR` and `ONE_IN_BASIS_POINTS` of `spl-token-2022-interface`. */
const YEAR_SECONDS = 60 * 60 * 24 * 365.24;
const WHOLE_BASIS_POINTS = 10_000;

const ADDRESS_BYTES = 32;

/**
 * Applies continuously compounded interest. Layout (`InterestBearingConfig`): authority, start time, average
 * rate until the last change, time of that change, rate since then. Rates are basis points per year.
 *
 * @param now Unix seconds.
 */
function interestScale(config: Uint8Array, now: bigint): AmountScale {
  const reader = new ByteReader(config);
  reader.take(ADDRESS_BYTES);
  const begunAt = reader.i64();
  const averageRate = reader.i16();
  const changedAt = reader.i64();
  const rate = reader.i16();
  const growth = growthOver(changedAt - begunAt, averageRate) * growthOver(now - changedAt, rate);
  return (amount, decimals) => fixedText(Number(amount) * (growth / 10 ** decimals), decimals);
}

function growthOver(seconds: bigint, rate: number): number {
  return Math.exp(Number(BigInt(rate) * seconds) / YEAR_SECONDS / WHOLE_BASIS_POINTS);
}

/**
 * Applies a multiplier. Layout (`ScaledUiAmountConfig`): authority, multiplier, start time of the next
 * multiplier, next multiplier. Fractions of a base unit are truncated.
 *
 * @param now Unix seconds.
 */
function multiplierScale(config: Uint8Array, now: bigint): AmountScale {
  const reader = new ByteReader(config);
  reader.take(ADDRESS_BYTES);
  const first = reader.f64();
  const multiplier = now >= reader.i64() ? reader.f64() : first;
  return (amount, decimals) => fixedText(Math.trunc(Number(amount) * multiplier) / 10 ** decimals, decimals);
}

/**
 * Formats a double with at most `decimals` decimals, rounded like Rust's `{:.n}`, without trailing zeros
 * (`trim_ui_amount_string`).
 */
function fixedText(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : 'inf';
  const digits = roundToUnits(value, decimals)
    .toString()
    .padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.?0+$/, '');
}

const view = new DataView(new ArrayBuffer(8));

/** Multiplies a non-negative `value` by 10^decimals exactly, then rounds half to even. */
function roundToUnits(value: number, decimals: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n) & 0x7ff;
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const mantissa = biased === 0 ? fraction : fraction | 0x10_0000_0000_0000n;
  const exponent = Math.max(biased, 1) - 1075;
  const scaled = mantissa * 10n ** BigInt(decimals);
  if (exponent >= 0) return scaled << BigInt(exponent);
  const shift = BigInt(-exponent);
  const whole = scaled >> shift;
  const twiceRest = (scaled - (whole << shift)) << 1n;
  const one = 1n << shift;
  const roundsUp = twiceRest > one || (twiceRest === one && (whole & 1n) === 1n);
  return roundsUp ? whole + 1n : whole;
}
