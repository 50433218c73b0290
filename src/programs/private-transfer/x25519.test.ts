import { x25519 } from '@noble/curves/ed25519.js';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../ports/random.ts';
import { agreementKey, freshKey, publicKeyOf } from './sealed-box.ts';

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
  ])('derives from secret %s and key %s the secret of the standard', (secret, key, shared) => {
    expect(agreementKey(bytes(secret)).sharedWith(publicKeyOf(bytes(key)))).toEqual(bytes(shared));
  });

  it('agrees with another implementation, also if unused bits of secrets and keys are set', () => {
    for (let round = 0; round < 20; round++) {
      const [secret, other] = [new Uint8Array(randomBytes(32)), new Uint8Array(randomBytes(32))];
      const key = agreementKey(secret);
      expect(key.publicKey).toEqual(x25519.getPublicKey(secret));
      expect(key.sharedWith(publicKeyOf(other))).toEqual(x25519.getSharedSecret(secret, other));
    }
  });

  it('accepts secrets and keys within a longer array', () => {
    const room = new Uint8Array(randomBytes(70));
    const [secret, other] = [room.subarray(1, 33), room.subarray(35, 67)];
    expect(agreementKey(secret).sharedWith(publicKeyOf(other))).toEqual(
      agreementKey(Uint8Array.from(secret)).sharedWith(publicKeyOf(Uint8Array.from(other))),
    );
  });

  it('rejects keys of small order, with which everyone would share the same secret', () => {
    for (const u of [0, 1]) {
      const key = new Uint8Array(32);
      key[0] = u;
      expect(() => agreementKey(new Uint8Array(32).fill(5)).sharedWith(publicKeyOf(key))).toThrow(
        'failed during derivation',
      );
    }
  });
});

describe('freshKey', () => {
  it('is made from the random bytes', () => {
    const secret = new Uint8Array(randomBytes(32));
    const lengths: number[] = [];
    const random = {
      bytes: (length: number) => {
        lengths.push(length);
        return secret;
      },
    };
    expect(freshKey(random).publicKey).toEqual(x25519.getPublicKey(secret));
    expect(lengths).toEqual([32]);
  });

  // With every collection a full one, as V8 does it of its own accord where much is kept.
  it('is created despite garbage collections, and the process continues', () => {
    const script = `
      import { systemRandom } from './src/ports/random.ts';
      import { freshKey } from './src/programs/private-transfer/sealed-box.ts';
      for (let made = 0; made < 10_000; made++) freshKey(systemRandom);`;
    const flags = ['--gc-global', '--max-semi-space-size=1', '--import', 'tsx', '--input-type=module'];
    const { status, stderr } = spawnSync(process.execPath, [...flags, '-e', script], {
      encoding: 'utf8',
      timeout: 100_000,
      killSignal: 'SIGKILL',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  }, 120_000);

  it('is different each time with the system generator, and agrees like any key', () => {
    const keys = Array.from({ length: 100 }, () => freshKey(systemRandom));
    expect(new Set(keys.map(({ publicKey }) => Buffer.from(publicKey).toString('hex'))).size).toBe(100);
    const secret = new Uint8Array(randomBytes(32));
    const other = agreementKey(secret);
    for (const key of keys) {
      const shared = key.sharedWith(publicKeyOf(other.publicKey));
      expect(shared).toEqual(other.sharedWith(publicKeyOf(key.publicKey)));
      expect(shared).toEqual(x25519.getSharedSecret(secret, key.publicKey));
    }
  });
});
