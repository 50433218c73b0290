/** The real minus sign, as wide as the plus. */
const MINUS = '\u2212';

/**
 * An amount in decimals: all that count and no others, never rounded, thousands apart.
 *
 * @param base base units, or lamports.
 */
export function formatDecimal(base: bigint, decimals: number): string {
  const digits = (base < 0n ? -base : base).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const text = `${groupThousands(whole)}${fraction === '' ? '' : `.${fraction}`}`;
  return base < 0n ? `${MINUS}${text}` : text;
}

/** The same with a plus before what is more than nothing. */
export function formatSigned(base: bigint, decimals: number): string {
  return base > 0n ? `+${formatDecimal(base, decimals)}` : formatDecimal(base, decimals);
}

/** A count, a slot, a number of bytes. */
export function formatCount(count: bigint | number): string {
  return groupThousands(count.toString());
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Digits, with all of their thousands set apart by commas or none, and decimals after a point. */
const TYPED = /^(\d{1,20}|\d{1,3}(?:,\d{3}){1,6})(?:\.(\d*))?$/;

/**
 * Base units of a decimal text that someone typed. A comma only sets thousands apart: where it stands for a
 * point, as in `1,25`, the text is no amount.
 *
 * @returns null if it is no amount of a mint with these decimals, or more than a u64 holds.
 */
export function parseDecimal(text: string, decimals: number): bigint | null {
  const match = TYPED.exec(text.trim());
  const fraction = match?.[2] ?? '';
  if (match === null || fraction.replace(/0+$/, '').length > decimals) return null;
  const base = BigInt(`${match[1]?.replaceAll(',', '')}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
  return base < 2n ** 64n ? base : null;
}
