import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createKeySponsor } from './key-sponsor.ts';

describe('createKeySponsor', () => {
  it('signs with the configured key', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const seed = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32);
    const key = publicKey.export({ type: 'spki', format: 'der' });
    const sponsor = createKeySponsor(JSON.stringify([...seed, ...key.subarray(-32)]), 'KEY');
    const message = Uint8Array.of(1, 2, 3);
    const spki = createPublicKey({ key, format: 'der', type: 'spki' });
    expect(verify(null, message, spki, sponsor.cosign(message))).toBe(true);
  });

  it('names the setting and nothing of its text when it is no key', () => {
    expect(() => createKeySponsor('[1,2,canary]', 'GASLESS_SPONSOR_SECRET_KEY')).toThrow(
      /^GASLESS_SPONSOR_SECRET_KEY must be a JSON-encoded secret key array$/,
    );
  });
});
