import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MapNode } from '../../test/ports/map-chain.ts';
import { TableBudgetStore } from '../payments/fees/budget-store.ts';
import { SponsorBudget } from '../payments/fees/sponsor.ts';
import { silentLogger } from '../ports/logger.ts';
import { MemoryTables } from '../ports/tables.ts';
import { HandTimer } from '../ports/testing/hand-timer.ts';
import { createKeySponsor } from './service-keys.ts';

const timer = new HandTimer();
const budgetOf = (lamports: bigint): SponsorBudget => {
  const store = new TableBudgetStore(new MemoryTables(), timer, 'sponsor');
  return new SponsorBudget({ timer, logger: silentLogger }, store, lamports);
};
const TERMS = { budget: budgetOf(10_000n), customMints: [] };
const COSTS = {
  lamports: 10_000n,
  lastValidBlockHeight: 1_150,
  ledger: new MapNode(),
  client: undefined,
};

describe('createKeySponsor', () => {
  it('signs with the configured key', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const seed = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32);
    const key = publicKey.export({ type: 'spki', format: 'der' });
    const sponsor = createKeySponsor(JSON.stringify([...seed, ...key.subarray(-32)]), 'KEY', TERMS);
    const message = Uint8Array.of(1, 2, 3);
    const spki = createPublicKey({ key, format: 'der', type: 'spki' });
    expect(verify(null, message, spki, await sponsor.cosign(message, COSTS))).toBe(true);
  });

  it('signs only within its budget', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const seed = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32);
    const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
    const budget = budgetOf(25_000n);
    const sponsor = createKeySponsor(JSON.stringify([...seed, ...key]), 'KEY', { budget, customMints: [] });
    for (const byte of [1, 2]) await sponsor.cosign(Uint8Array.of(byte), COSTS);
    await expect(sponsor.cosign(Uint8Array.of(3), COSTS)).rejects.toThrow(
      expect.objectContaining({ code: 'SPONSOR_UNAVAILABLE' }),
    );
  });

  it('names the setting and does not quote an invalid key', () => {
    expect(() => createKeySponsor('[1,2,canary]', 'GASLESS_SPONSOR_SECRET_KEY', TERMS)).toThrow(
      /^GASLESS_SPONSOR_SECRET_KEY is not a valid Solana secret key: it must be a JSON array of 64 numbers/,
    );
  });
});
