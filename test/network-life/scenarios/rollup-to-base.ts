import type { Mints } from '../mints.ts';
import type { Network } from '../network.ts';
import { pay, timed } from '../payment.ts';
import { deposit } from './deposit.ts';

const DEPOSIT = 900_007n;
const AMOUNT = 400_001n;

/** Alice pays Bob's wallet on base with what she has on the rollup. */
export async function payFromRollupToBase(network: Network, { usdc }: Mints): Promise<void> {
  const alice = await network.person('Alice', usdc, DEPOSIT);
  const bob = await network.person('Bob', usdc, 3n);
  await deposit(network, alice, usdc, DEPOSIT);
  await network.expect(alice, usdc, { base: 0n, rollup: DEPOSIT });
  const options = { fromBalance: 'ephemeral', toBalance: 'base', visibility: 'private' };
  await timed('payment', async () => {
    await pay(network, { from: alice, to: bob.address, mint: usdc, amount: AMOUNT, options });
    await network.expect(bob, usdc, { base: 3n + AMOUNT, rollup: 0n });
  });
  await network.expect(alice, usdc, { base: 0n, rollup: DEPOSIT - AMOUNT });
}
