import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { ed25519, ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js';
import { describe, expect, it } from 'vitest';
import { isStrictlySigned } from './strict-signature.ts';

const PRIME = 2n ** 255n - 19n;
const ORDER = ed25519.Point.Fn.ORDER;
const MESSAGE = Buffer.from('a message');
/** S = 1 and R = B: with the neutral element as the key it fits any message. */
const BASE_AND_ONE = Buffer.concat([ed25519.Point.BASE.toBytes(), littleEndian(1n)]);

function littleEndian(value: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex')).toReversed();
}

const numberOf = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`);

/** Whether the library reads bytes as a point of small order, by the rules that ask least of them. */
function isSmallOrder(bytes: Uint8Array): boolean {
  try {
    return ed25519.Point.fromBytes(bytes, true).isSmallOrder();
  } catch {
    return false;
  }
}

/** A y with either sign of x. */
const encodingsOf = (y: bigint): readonly Uint8Array[] => [littleEndian(y), littleEndian(y + 2n ** 255n)];

/** Every encoding that is no canonical one, the canonical ones of small order, and their neighbors. */
const ENCODINGS = [
  ...Array.from({ length: 19 }, (_, above) => PRIME + BigInt(above)),
  ...ED25519_TORSION_SUBGROUP.flatMap((hex) => {
    const y = numberOf(Buffer.from(hex, 'hex')) % 2n ** 255n;
    return [y, (y + 1n) % PRIME, (y + PRIME - 1n) % PRIME];
  }),
].flatMap(encodingsOf);

function newKey(): { readonly bytes: Uint8Array; readonly secret: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { bytes: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'), secret: privateKey };
}

/** A signature with the neutral element for R, which fits the key of `secret`. */
function signatureWith(r: Uint8Array, secret: Uint8Array): Uint8Array {
  const hash = createHash('sha512').update(r).update(ed25519.getPublicKey(secret)).update(MESSAGE).digest();
  const { scalar } = ed25519.utils.getExtendedPublicKey(secret);
  return Buffer.concat([r, littleEndian(((numberOf(hash) % ORDER) * scalar) % ORDER)]);
}

describe('isStrictlySigned', () => {
  it('accepts what the key has signed, and nothing else', () => {
    const key = newKey();
    const signature = sign(null, MESSAGE, key.secret);
    expect(isStrictlySigned(key.bytes, MESSAGE, signature)).toBe(true);
    expect(isStrictlySigned(key.bytes, Buffer.from('another'), signature)).toBe(false);
    expect(isStrictlySigned(newKey().bytes, MESSAGE, signature)).toBe(false);
    for (const at of [0, 31, 32, 63]) {
      const changed = Buffer.from(signature);
      changed[at] = (changed[at] as number) ^ 1;
      expect(isStrictlySigned(key.bytes, MESSAGE, changed)).toBe(false);
    }
  });

  it('rejects random signatures, whether or not the key is a point', () => {
    for (let round = 0; round < 200; round++) {
      const key = round % 2 === 0 ? randomBytes(32) : newKey().bytes;
      expect(isStrictlySigned(key, MESSAGE, randomBytes(64))).toBe(false);
    }
  });

  it('rejects every encoding of a point of small order', () => {
    const small = ENCODINGS.filter(isSmallOrder).map((bytes) => Buffer.from(bytes).toString('hex'));
    // Eight points; y = 0, 1 and their sums with the prime come with either sign of x.
    expect(new Set(small).size).toBe(14);
    for (const hex of small) {
      const key = Buffer.from(hex, 'hex');
      // Some of them fit: which ones depends on the message.
      for (let round = 0; round < 40; round++) {
        expect(isStrictlySigned(key, Buffer.from([round]), BASE_AND_ONE)).toBe(false);
      }
    }
  });

  it('rejects R of small order even if the equation holds', () => {
    const secret = randomBytes(32);
    const publicKey = ed25519.getPublicKey(secret);
    const signature = signatureWith(littleEndian(1n), secret);
    expect(ed25519.verify(signature, MESSAGE, publicKey, { zip215: true })).toBe(true);
    expect(isStrictlySigned(publicKey, MESSAGE, signature)).toBe(false);
  });

  it('rejects a key that is not a point', () => {
    expect(isStrictlySigned(Uint8Array.of(2, ...new Uint8Array(31)), MESSAGE, randomBytes(64))).toBe(false);
  });
});
