import type { Mints } from '../mints.ts';
import type { Network } from '../network.ts';
import { feeOf, pay, timed } from '../payment.ts';

const AMOUNT = 1_000_000n;
const BOB_HAS = 7n;

/** Alice pays Bob from her wallet to his, without an observer seeing who is paid. */
export async function payInOnePart(network: Network, { usdc }: Mints): Promise<void> {
  const fee = feeOf(AMOUNT);
  const alice = await network.person('Alice', usdc, AMOUNT + fee + 5n);
  const bob = await network.person('Bob', usdc, BOB_HAS);
  await timed('payment', async () => {
    await pay(network, { from: alice, to: bob.address, mint: usdc, amount: AMOUNT, fee });
    await network.expect(bob, usdc, { base: BOB_HAS + AMOUNT, rollup: 0n });
  });
  await network.expect(alice, usdc, { base: 5n, rollup: 0n });
}
