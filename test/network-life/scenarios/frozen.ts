import type { Address } from '@solana/kit';
import { freezeAta } from '../mint.ts';
import type { Mints } from '../mints.ts';
import type { Network } from '../network.ts';
import { feeOf, pay, timed } from '../payment.ts';

const AMOUNT = 1_000_009n;

/** Bob's token account is frozen: Alice has her tokens back, but for the fee. */
export async function payFrozenAccount(network: Network, { freezable: mint }: Mints): Promise<void> {
  const fee = feeOf(AMOUNT);
  const alice = await network.person('Alice', mint, AMOUNT + fee);
  const bob = await network.person('Bob', mint, 1n);
  const account = { owner: bob.address as Address, mint: mint.address };
  await freezeAta(network.ledgerUrl, network.operator.wallet, account);
  await timed('refund', async () => {
    await pay(network, { from: alice, to: bob.address, mint, amount: AMOUNT, fee });
    await network.expect(alice, mint, { base: AMOUNT, rollup: 0n });
  });
  await network.expect(bob, mint, { base: 1n, rollup: 0n });
}
