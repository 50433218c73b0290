import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isOnCurve } from './curve.ts';

const P = (1n << 255n) - 19n;
const D = mod(-121665n * power(121666n, P - 2n));

/** The definition, with exponentiations: x^2 = (y^2 - 1) / (d y^2 + 1) must be zero or have Euler's criterion 1. */
function decompresses(bytes: Uint8Array): boolean {
  const y = mod(BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`) & ((1n << 255n) - 1n));
  const xSquared = mod((y * y - 1n) * power(mod(D * y * y + 1n), P - 2n));
  return xSquared === 0n || power(xSquared, (P - 1n) / 2n) === 1n;
}

function mod(value: bigint): bigint {
  return ((value % P) + P) % P;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = mod(base);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}

function encode(value: bigint): Uint8Array {
  return new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toReversed());
}

describe('isOnCurve', () => {
  it('agrees with the definition on 3,000 pseudo-random strings', () => {
    for (let i = 0; i < 3_000; i++) {
      const bytes = new Uint8Array(createHash('sha256').update(`curve ${i}`).digest());
      expect(isOnCurve(bytes), `string ${i}`).toBe(decompresses(bytes));
    }
  });

  it('agrees with the definition on the edges: small y, y beyond p, either sign bit, lone bits', () => {
    const edges: bigint[] = [];
    for (let i = 0n; i < 40n; i++) edges.push(i, P - 1n - i, (1n << 255n) - 1n - i);
    for (let bit = 0n; bit < 255n; bit++) edges.push(1n << bit, ((1n << 255n) - 1n) ^ (1n << bit));
    for (const edge of edges) {
      for (const signBit of [0n, 1n << 255n]) {
        const bytes = encode(edge | signBit);
        expect(isOnCurve(bytes), edge.toString(16)).toBe(decompresses(bytes));
      }
    }
  });

  it('takes x = 0 with the sign bit set for a point, as the network does', () => {
    expect(isOnCurve(encode(1n | (1n << 255n)))).toBe(true);
  });
});
