import type { Mints } from '../mints.ts';
import type { Network } from '../network.ts';
import { feeOf, pay, timed } from '../payment.ts';

const AMOUNT = 333_333n;

/** Alice pays somebody who has no token account, nor a lamport. */
export async function payNewWallet(network: Network, { usdc }: Mints): Promise<void> {
  const fee = feeOf(AMOUNT);
  const alice = await network.person('Alice', usdc, AMOUNT + fee);
  const newcomer = await network.pauper('Newcomer');
  await timed('payment', async () => {
    await pay(network, { from: alice, to: newcomer.address, mint: usdc, amount: AMOUNT, fee });
    await network.expect(newcomer, usdc, { base: AMOUNT, rollup: 0n });
  });
  await network.expectLamports(newcomer, 0n);
  await network.expect(alice, usdc, { base: 0n, rollup: 0n });
}
