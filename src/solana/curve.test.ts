import { PublicKey } from '@solana/web3.js';
import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { lengthOf } from '../../test/length.ts';
import { isOnCurve, isPlainlyOnCurve } from './pda.ts';
import recorded from '../../test/vectors/on-curve.json' with { type: 'json' };

const P = (1n << 255n) - 19n;
const D = mod(-121665n * power(121666n, P - 2n));
const SIGN_BIT = 1n << 255n;

/**
 * The definition, with exponentiations: x^2 = (y^2 - 1) / (d y^2 + 1) must be zero or have Euler's criterion
 * 1.
 */
function decompresses(bytes: Uint8Array): boolean {
  const y = decode(bytes) % SIGN_BIT;
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

function decode(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`);
}

function encode(value: bigint): Uint8Array {
  return new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').toReversed());
}

/**
 * y of the points whose order is a divisor of 8 (`curve25519-dalek` EIGHT_TORSION), besides 0, 1 and p - 1.
 */
const ORDER_8 = [
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
];

/** Small y, y around and beyond p, lone bits and lone zeros, points of small order: with either sign bit. */
const EDGES: readonly Uint8Array[] = (() => {
  const edges = new Set<bigint>(ORDER_8);
  for (let i = 0n; i < 40n; i++) [i, P - 1n - i, SIGN_BIT - 1n - i].forEach((edge) => edges.add(edge));
  for (let bit = 0n; bit < 255n; bit++) edges.add(1n << bit).add((SIGN_BIT - 1n) ^ (1n << bit));
  return [...edges].flatMap((edge) => [encode(edge), encode(edge | SIGN_BIT)]);
})();

/** Of the recorded ones. */
const STRINGS = lengthOf({ short: 20_000, long: 200_000 });

const someString = (i: number): Uint8Array => createHash('sha256').update(`curve ${i}`).digest();

const hex = (strings: readonly Uint8Array[]): string[] =>
  strings.map((bytes) => Buffer.from(bytes).toString('hex'));

describe('isOnCurve', () => {
  it('agrees with the definition on 100 random strings, the edges and the points of order 8', () => {
    const strings = [...EDGES, ...Array.from({ length: 100 }, () => randomBytes(32))];
    expect(hex(strings.filter((bytes) => isOnCurve(bytes) !== decompresses(bytes)))).toEqual([]);
    expect(ORDER_8.map((y) => isOnCurve(encode(y)))).toEqual([true, true]);
  });

  it('accepts x = 0 with the sign bit set, like the network', () => {
    for (const y of [1n, P - 1n, P + 1n]) {
      expect(isOnCurve(encode(y))).toBe(true);
      expect(isOnCurve(encode(y | SIGN_BIT))).toBe(true);
    }
  });

  it('agrees with recorded results of web3.js on pseudo-random strings', () => {
    const bits = Buffer.from(recorded.bits, 'base64');
    const differing: number[] = [];
    for (let i = 0; i < STRINGS; i++) {
      const isPoint = (((bits[i >> 3] as number) >> (i & 7)) & 1) === 1;
      if (isOnCurve(someString(i)) !== isPoint) differing.push(i);
    }
    expect(recorded.count).toBe(200_000);
    expect(differing).toEqual([]);
  });

  it('agrees with web3.js on 500 random strings', () => {
    const strings = Array.from({ length: 500 }, () => randomBytes(32));
    expect(hex(strings.filter((bytes) => isOnCurve(bytes) !== PublicKey.isOnCurve(bytes)))).toEqual([]);
  });

  it('differs from web3.js in 26 strings: if y is beyond p or x = 0 has a sign, which only web3.js rejects', () => {
    const differing = EDGES.filter((edge) => isOnCurve(edge) !== PublicKey.isOnCurve(edge));
    const signedZeros = new Set([1n, P - 1n].map((y) => y | SIGN_BIT));
    const isKnown = (value: bigint): boolean => value % SIGN_BIT >= P || signedZeros.has(value);
    expect(hex(differing.filter((edge) => !isOnCurve(edge) || !isKnown(decode(edge))))).toEqual([]);
    expect(differing).toHaveLength(26);
  });
});

it.each([0, 1, 31, 33, 64])(
  'isOnCurve rejects %d bytes and never uses those of an earlier point',
  (length) => {
    expect(isOnCurve(new Uint8Array(32).fill(0, 1).fill(1, 0, 1))).toBe(true);
    expect(() => isOnCurve(new Uint8Array(length))).toThrow(new RangeError('a point has 32 bytes'));
  },
);

describe('isPlainlyOnCurve', () => {
  it('agrees on 1,000 random strings and on the edges', () => {
    const strings = [...EDGES, ...Array.from({ length: 1_000 }, () => randomBytes(32))];
    expect(hex(strings.filter((bytes) => isPlainlyOnCurve(bytes) !== isOnCurve(bytes)))).toEqual([]);
  });
});
