import { randomBytes } from 'node:crypto';
import { x25519 } from '@noble/curves/ed25519.js';
import { describe, expect, it } from 'vitest';
import { agreementKey } from './x25519.ts';

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));

describe('agreementKey', () => {
  // RFC 7748, section 5.2.
  it.each([
    [
      'a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4',
      'e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c',
      'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552',
    ],
    [
      '4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d',
      'e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493',
      '95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957',
    ],
  ])('shares with secret %s and key %s the secret of the standard', (secret, key, shared) => {
    expect(agreementKey(bytes(secret)).sharedWith(bytes(key))).toEqual(bytes(shared));
  });

  it('agrees with another implementation, also on secrets and keys whose unused bits are set', () => {
    for (let round = 0; round < 20; round++) {
      const [secret, other] = [new Uint8Array(randomBytes(32)), new Uint8Array(randomBytes(32))];
      const key = agreementKey(secret);
      expect(key.publicKey).toEqual(x25519.getPublicKey(secret));
      expect(key.sharedWith(other)).toEqual(x25519.getSharedSecret(secret, other));
    }
  });

  it('takes secrets and keys that lie within a longer array', () => {
    const room = new Uint8Array(randomBytes(70));
    const [secret, other] = [room.subarray(1, 33), room.subarray(35, 67)];
    expect(agreementKey(secret).sharedWith(other)).toEqual(
      agreementKey(Uint8Array.from(secret)).sharedWith(Uint8Array.from(other)),
    );
  });

  it('refuses keys of small order, with which everybody would share the same secret', () => {
    for (const u of [0, 1]) {
      const key = new Uint8Array(32);
      key[0] = u;
      expect(() => agreementKey(new Uint8Array(32).fill(5)).sharedWith(key)).toThrow(
        'failed during derivation',
      );
    }
  });
});
