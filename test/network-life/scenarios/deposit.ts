import type { Person } from '../person.ts';
import type { Mints } from '../mints.ts';
import type { Network, NetworkMint } from '../network.ts';
import { timed } from '../payment.ts';

const FUNDS = 3_000_019n;
const FIRST = 1_500_011n;
const MORE = 250_003n;

/** Alice deposits, and adds to it while it is on the rollup. */
export async function depositAndTopUp(network: Network, { usdc }: Mints): Promise<void> {
  const alice = await network.person('Alice', usdc, FUNDS);
  await timed('deposit', async () => {
    await deposit(network, alice, usdc, FIRST);
    await network.expect(alice, usdc, { base: FUNDS - FIRST, rollup: FIRST });
  });
  await timed('top-up', async () => {
    await deposit(network, alice, usdc, MORE);
    await network.expect(alice, usdc, { base: FUNDS - FIRST - MORE, rollup: FIRST + MORE });
  });
}

/** Puts somebody's tokens on the rollup. */
export async function deposit(
  network: Network,
  owner: Person,
  mint: NetworkMint,
  amount: bigint,
): Promise<void> {
  const args = { owner: owner.address, mint: mint.address, amount: amount.toString() };
  await network.do(owner, 'spl.deposit', args);
}
