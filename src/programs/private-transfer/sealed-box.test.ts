import { x25519 } from '@noble/curves/ed25519.js';
import { describe, expect, it } from 'vitest';
import { agreementKey, openBox, publicKeyOf, SEAL_BYTES, sealBox } from './sealed-box.ts';

const secret = new Uint8Array(32).fill(3);
const ephemeralSecret = new Uint8Array(32).fill(5);
const ephemeral = agreementKey(ephemeralSecret);
const boxKey = publicKeyOf(x25519.getPublicKey(secret));
const plaintext = new Uint8Array(Buffer.from('to be read by one', 'utf8'));
const sealed = sealBox(plaintext, boxKey, ephemeral);

describe('a sealed box', () => {
  it('is 48 bytes longer than its contents', () => {
    expect(SEAL_BYTES).toBe(48);
    expect(sealed).toHaveLength(plaintext.length + SEAL_BYTES);
    expect(sealBox(new Uint8Array(), boxKey, ephemeral)).toHaveLength(SEAL_BYTES);
  });

  it('can be opened by its recipient, at any offset in a buffer', () => {
    expect(openBox(sealed, secret)).toEqual(plaintext);
    const shifted = new Uint8Array(sealed.length + 3);
    shifted.set(sealed, 1);
    expect(openBox(shifted.subarray(1, 1 + sealed.length), secret)).toEqual(plaintext);
    expect(openBox(sealBox(new Uint8Array(), boxKey, ephemeral), secret)).toEqual(new Uint8Array());
  });

  it('cannot be opened by anyone else', () => {
    expect(openBox(sealed, new Uint8Array(32).fill(4))).toBeNull();
    expect(openBox(sealed, ephemeralSecret)).toBeNull();
  });

  it('cannot be opened if any byte of it has changed', () => {
    for (let index = 0; index < sealed.length; index++) {
      const changed = Uint8Array.from(sealed);
      changed[index] = (changed[index] as number) ^ 1;
      expect(openBox(changed, secret), `byte ${index}`).toBeNull();
    }
  });

  it('cannot be opened if it is truncated', () => {
    for (const length of [0, 31, 32, SEAL_BYTES - 1, sealed.length - 1]) {
      expect(openBox(sealed.subarray(0, length), secret), `${length} bytes`).toBeNull();
    }
  });

  it('never agrees on the all-zero secret', () => {
    for (const u of [0, 1]) {
      // Both are points of small order: whatever the secret, the shared point is zero.
      const key = new Uint8Array(32);
      key[0] = u;
      expect(() => sealBox(plaintext, publicKeyOf(key), ephemeral)).toThrow('failed during derivation');
      const forged = Uint8Array.from(sealed);
      forged.set(key);
      expect(openBox(forged, secret)).toBeNull();
    }
  });
});
