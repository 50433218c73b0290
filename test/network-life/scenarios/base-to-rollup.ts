import type { Mints } from '../mints.ts';
import type { Network } from '../network.ts';
import { pay, timed } from '../payment.ts';

const FUNDS = 600_005n;
const AMOUNT = 500_001n;

/** Alice pays Bob out of her wallet, and he has it on the rollup, where he had nothing before. */
export async function payFromBaseToRollup(network: Network, { usdc }: Mints): Promise<void> {
  const alice = await network.person('Alice', usdc, FUNDS);
  const bob = await network.pauper('Bob');
  const options = { toBalance: 'ephemeral', initIfMissing: true };
  await timed('payment', async () => {
    await pay(network, { from: alice, to: bob.address, mint: usdc, amount: AMOUNT, options });
    await network.expect(bob, usdc, { base: 0n, rollup: AMOUNT });
  });
  await network.expect(alice, usdc, { base: FUNDS - AMOUNT, rollup: 0n });
}
