/** The Unicode minus sign, as wide as the plus. */
const MINUS = '\u2212';

/**
 * Formats an amount exactly, without trailing zeros and with commas between thousands.
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

/** Formats an amount with a plus sign if it is positive. */
export function formatSigned(base: bigint, decimals: number): string {
  return base > 0n ? `+${formatDecimal(base, decimals)}` : formatDecimal(base, decimals);
}

/** Formats a whole number with commas between thousands. */
export function formatCount(count: bigint | number): string {
  return groupThousands(count.toString());
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Digits with all thousands separators or none, then optional decimals after a point. */
const TYPED = /^(\d{1,20}|\d{1,3}(?:,\d{3}){1,6})(?:\.(\d*))?$/;

/**
 * Parses a typed amount into base units. Commas separate thousands only; `1,25` is invalid.
 *
 * @returns null if the text is invalid, has too many decimals, or exceeds a u64.
 */
export function parseDecimal(text: string, decimals: number): bigint | null {
  const match = TYPED.exec(text.trim());
  const fraction = match?.[2] ?? '';
  if (match === null || fraction.replace(/0+$/, '').length > decimals) return null;
  const base = BigInt(`${match[1]?.replaceAll(',', '')}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
  return base < 2n ** 64n ? base : null;
}
