import { setTimeout as sleep } from 'node:timers/promises';
import type { Built } from '../person.ts';
import { checkEqual } from '../report.ts';
import type { Mints } from '../mints.ts';
import type { Network } from '../network.ts';
import { feeOf, pay, timed } from '../payment.ts';

const AMOUNT = 800_001n;
const ARRIVAL_MS_MAX = 30_000;

/** Pat takes payments under a handle, behind which there are two wallets; Alice pays the handle. */
export async function payStealthHandle(network: Network, { usdc }: Mints): Promise<void> {
  const fee = feeOf(AMOUNT);
  const alice = await network.person('Alice', usdc, AMOUNT + fee);
  const pat = await network.person('Pat');
  const keys = [await network.pauper('Key 1'), await network.pauper('Key 2')];
  const handle = `pat-${pat.address.slice(0, 8)}`;
  const destinations = keys.map(({ address }) => address);
  const args = { payer: pat.address, authority: pat.address, handle, destinations, splitAcrossKeys: true };
  // The service asks for a token, as rollups hide pools from others; one without a login takes any.
  const pool = await pat.call<Built & { readonly setupTransaction: Built }>(
    'spl.createStealthPool',
    args,
    network.isExternal ? 'unchecked' : 'myself',
  );
  await network.send(pat, pool.setupTransaction);
  await network.send(pat, pool);
  await timed('payment', async () => {
    await pay(network, { from: alice, to: handle, mint: usdc, amount: AMOUNT, fee, options: { split: 4 } });
    checkEqual('both keys together', await sumOf(), AMOUNT);
  });
  // Which key gets which part is drawn; what they have from now on must stay.
  for (const key of keys) {
    await network.expect(key, usdc, { base: await network.tokens(key, usdc, 'base'), rollup: 0n });
  }
  await network.expect(alice, usdc, { base: 0n, rollup: 0n });

  async function sumOf(): Promise<bigint> {
    const until = performance.now() + ARRIVAL_MS_MAX;
    for (;;) {
      const amounts = await Promise.all(keys.map((key) => network.tokens(key, usdc, 'base')));
      const sum = amounts.reduce((so, amount) => so + amount, 0n);
      if (sum >= AMOUNT || performance.now() > until) return sum;
      await sleep(20);
    }
  }
}
