/** From 10^16 up and below 10^-5 serde_json's float printer (`ryu`, later `zmij`) uses an exponent. */
const PLAIN_MIN = 1e-5;
const PLAIN_END = 1e16;

/**
 * A finite double as serde_json 1.0.146 and later print it: the shortest digits that round-trip, always with
 * a fraction (`1.0`) or an exponent (`1.8446744073709552e+19`, `1e-6`).
 */
export function floatText(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude >= PLAIN_MIN && magnitude < PLAIN_END) {
    return Number.isInteger(value) ? `${value}.0` : String(value);
  }
  if (magnitude === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  return value.toExponential();
}
