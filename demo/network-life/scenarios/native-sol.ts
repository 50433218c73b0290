import type { Mints } from '../mints.ts';
import { WALLET_LAMPORTS, type Network } from '../network.ts';
import { feeOf, pay, timed } from '../payment.ts';

const AMOUNT = 1_000_000_007n;

/** Alice pays Bob SOL, which is wrapped on the way and arrives as plain lamports. */
export async function paySol(network: Network, { sol }: Mints): Promise<void> {
  const fee = feeOf(AMOUNT);
  const alice = await network.person('Alice');
  const bob = await network.person('Bob');
  await timed('payment', async () => {
    const options = { initAtasIfMissing: true };
    await pay(network, { from: alice, to: bob.address, mint: sol, amount: AMOUNT, fee, options });
    await network.expectLamports(bob, WALLET_LAMPORTS + AMOUNT);
  });
  await network.expect(bob, sol, { base: 0n, rollup: 0n });
  await network.expect(alice, sol, { base: 0n, rollup: 0n });
}
