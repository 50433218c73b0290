/** The field of curve25519, 2^255 - 19, and the constant d of the Edwards curve (RFC 8032 section 5.1). */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Whether 32 bytes are a point of ed25519, so that somebody may hold a key for them. As Solana decompresses
 * them (curve25519-dalek): the sign bit is ignored and y is taken modulo p.
 */
export function isOnCurve(bytes: Uint8Array): boolean {
  let encoded = 0n;
  for (let at = 31; at >= 0; at--) encoded = encoded * 256n + BigInt(bytes[at] ?? 0);
  const y = (encoded & (2n ** 255n - 1n)) % P;
  const y2 = (y * y) % P;
  // x^2 = u / v has a root exactly when u * v is a square (Euler's criterion).
  const u = modulo(y2 - 1n);
  const v = modulo(D * y2 + 1n);
  if (u === 0n) return true;
  return power((u * v) % P, (P - 1n) / 2n) === 1n;
}

const modulo = (value: bigint): bigint => ((value % P) + P) % P;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base; exponent > 0n; exponent >>= 1n, square = (square * square) % P) {
    if (exponent & 1n) result = (result * square) % P;
  }
  return result;
}
