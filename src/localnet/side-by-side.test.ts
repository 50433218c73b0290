import { describe, expect, it } from 'vitest';
import type { Localnet } from './localnet.ts';
import { startLocalnet } from './start-localnet.ts';
import { ask, balanceOf } from './testing/call-localnet.ts';

const BESIDE = 5;

describe('localnets of one process', () => {
  it('share nothing with each other', async () => {
    const localnets = await Promise.all(Array.from({ length: BESIDE }, () => startLocalnet()));
    const urls = localnets.flatMap((each) => Object.values(each.urls));
    // The service is named twice, with the path of MCP and without.
    expect(new Set(urls).size).toBe(BESIDE * 6);
    const genesis = await Promise.all(localnets.map((each) => ask(each.urls.base, 'getGenesisHash')));
    expect(new Set(genesis).size).toBe(BESIDE);
    const [one, ...others] = localnets as [Localnet, ...Localnet[]];
    const alice = await one.createWallet({ tokens: 7n });
    for (const other of others) expect(await balanceOf(other, alice)).toBe(0n);
    await others[0]?.reset();
    await others[1]?.close();
    expect(await balanceOf(one, alice)).toBe(7n);
    await Promise.all(localnets.map((each) => each.close()));
    for (const { urls: places } of localnets) {
      await expect(fetch(places.base)).rejects.toThrow('fetch failed');
    }
  });
});
