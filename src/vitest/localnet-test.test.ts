import { describe, expect } from 'vitest';
import { ask, balanceOf } from '../localnet/testing/call-localnet.ts';
import { localnetTest, test } from './localnet-test.ts';

/** The localnet of the first test of a block, for the second. */
let first: { readonly base: string; readonly alice: string } | undefined;

// Vitest lets fixtures of a file be made at its top level alone.
const seeded = localnetTest({ seed: 'vitest', clock: { startsAtMs: 1_767_225_600_000 } });
const draw = seeded.extend<{ alice: string }>({
  alice: async ({ localnet }, use) => use((await localnet.createWallet()).address),
});

describe('test', () => {
  test('starts a localnet for the file', async ({ localnet }) => {
    const { address } = await localnet.createWallet({ tokens: 5n });
    first = { base: localnet.urls.base, alice: address };
    expect(await balanceOf(localnet, { address })).toBe(5n);
  });

  test('gives each test the same localnet in its initial state', async ({ localnet }) => {
    expect(localnet.urls.base).toBe(first?.base);
    expect(await ask(localnet.urls.base, 'getSignaturesForAddress', first?.alice)).toEqual([]);
  });
});

describe('localnetTest', () => {
  const addresses: string[] = [];
  draw('starts it with options, and can be extended', ({ alice, localnet }) => {
    addresses.push(alice, localnet.urls.base);
    expect(localnet.urls.base).not.toBe(first?.base);
  });

  draw('gives each test the same wallets where it has a seed', ({ alice, localnet }) => {
    expect([alice, localnet.urls.base]).toEqual(addresses);
  });
});
