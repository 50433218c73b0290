/** What a reviver is told of a number besides its value (TC39 `JSON.parse` source text access). */
interface Source {
  readonly source?: string;
}

/**
 * A number of 16 digits or more, or with an exponent: only these may be whole and not exact. Where there is none,
 * nothing is looked at one by one, which takes ten times as long. In a string it costs just that.
 */
const MAY_BE_INEXACT = /[:,[]\s*-?(?:\d{16}|[\d.]+e)|^\s*-?(?:\d{16}|[\d.]+e)/i;

/**
 * Reads JSON; whole numbers that a double does not hold exactly become bigints.
 *
 * A browser that does not tell a number's text gives null for such a number: it is not known, and never a
 * rounded one. Of what nodes answer that is `rentEpoch`, and lamports from 9 million SOL on.
 *
 * @throws {SyntaxError} for what is no JSON.
 */
export function readJson(text: string): unknown {
  if (!MAY_BE_INEXACT.test(text)) return JSON.parse(text);
  return JSON.parse(text, exactly as (key: string, value: unknown) => unknown);
}

function exactly(_key: string, value: unknown, context?: Source): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : null;
}
