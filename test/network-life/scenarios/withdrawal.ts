import type { Mints } from '../mints.ts';
import type { Network } from '../network.ts';
import { timed } from '../payment.ts';
import { deposit } from './deposit.ts';

const FUNDS = 2_000_003n;
const BACK = 700_001n;

/** Alice takes some of what she has on the rollup back to her wallet, without giving up the rest. */
export async function withdrawByShuttle(network: Network, { usdc }: Mints): Promise<void> {
  const alice = await network.person('Alice', usdc, FUNDS);
  await deposit(network, alice, usdc, FUNDS);
  await network.expect(alice, usdc, { base: 0n, rollup: FUNDS });
  await timed('withdrawal', async () => {
    const args = { owner: alice.address, mint: usdc.address, amount: BACK.toString() };
    await network.do(alice, 'spl.withdraw', args);
    await network.expect(alice, usdc, { base: BACK, rollup: FUNDS - BACK });
  });
}
