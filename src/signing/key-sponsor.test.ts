import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SponsorBudget } from '../payments/fees/sponsor-budget.ts';
import { createKeySponsor } from './key-sponsor.ts';

const TERMS = { budget: new SponsorBudget({ now: () => 0 }, 10_000n), customMints: [] };

describe('createKeySponsor', () => {
  it('signs with the configured key', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const seed = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32);
    const key = publicKey.export({ type: 'spki', format: 'der' });
    const sponsor = createKeySponsor(JSON.stringify([...seed, ...key.subarray(-32)]), 'KEY', TERMS);
    const message = Uint8Array.of(1, 2, 3);
    const spki = createPublicKey({ key, format: 'der', type: 'spki' });
    expect(verify(null, message, spki, sponsor.cosign(message, 10_000n))).toBe(true);
  });

  it('signs no more than its budget has', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const seed = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32);
    const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
    const budget = new SponsorBudget({ now: () => 0 }, 25_000n);
    const sponsor = createKeySponsor(JSON.stringify([...seed, ...key]), 'KEY', { budget, customMints: [] });
    const message = Uint8Array.of(1);
    for (let signed = 0; signed < 2; signed++) sponsor.cosign(message, 10_000n);
    expect(() => sponsor.cosign(message, 10_000n)).toThrow(
      expect.objectContaining({ code: 'SPONSOR_UNAVAILABLE' }),
    );
  });

  it('names the setting and nothing of its text when it is no key', () => {
    expect(() => createKeySponsor('[1,2,canary]', 'GASLESS_SPONSOR_SECRET_KEY', TERMS)).toThrow(
      /^GASLESS_SPONSOR_SECRET_KEY must be a JSON-encoded secret key array$/,
    );
  });
});
