/**
 * A double as Rust's `{}` prints it: the shortest digits that round-trip, never with an exponent, and without
 * a fraction for whole numbers.
 */
export function plainFloatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0';
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign, first = '', rest = '', exponent] = match;
  const digits = first + rest;
  const power = Number(exponent);
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${digits}`;
  // Doubles with a positive exponent here are whole: 10^21 and above.
  return `${sign}${digits.padEnd(power + 1, '0')}`;
}
