import type { Mints } from '../mints.ts';
import type { Network } from '../network.ts';
import { feeOf, pay, timed } from '../payment.ts';

const AMOUNT = 1_000_003n;
const MIN_DELAY_MS = 700;

/** Alice pays Bob in three parts, each held back for a time of its own. */
export async function payInParts(network: Network, { usdc }: Mints): Promise<void> {
  const fee = feeOf(AMOUNT);
  const alice = await network.person('Alice', usdc, AMOUNT + fee);
  const bob = await network.person('Bob', usdc, 1n);
  const options = { split: 3, minDelayMs: MIN_DELAY_MS, maxDelayMs: 2_000, clientRefId: '42' };
  const ms = await timed('payment', async () => {
    await pay(network, { from: alice, to: bob.address, mint: usdc, amount: AMOUNT, fee, options });
    await network.expect(bob, usdc, { base: 1n + AMOUNT, rollup: 0n });
  });
  if (ms < MIN_DELAY_MS) throw new Error(`the payment was to be held back for ${MIN_DELAY_MS} ms`);
  await network.expect(alice, usdc, { base: 0n, rollup: 0n });
}
