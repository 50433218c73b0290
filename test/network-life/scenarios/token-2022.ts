import type { Mints } from '../mints.ts';
import type { Network } from '../network.ts';
import { feeOf, pay, timed } from '../payment.ts';
import { deposit } from './deposit.ts';

const FUNDS = 5_000_000n;
const DEPOSIT = 2_000_001n;
const AMOUNT = 1_000_001n;
const BACK = 600_003n;

/** Tokens of the Token-2022 program are deposited, paid privately and withdrawn. */
export async function liveWithToken2022(network: Network, { token2022: mint }: Mints): Promise<void> {
  const fee = feeOf(AMOUNT);
  const alice = await network.person('Alice', mint, FUNDS);
  const bob = await network.pauper('Bob');
  await deposit(network, alice, mint, DEPOSIT);
  await network.expect(alice, mint, { base: FUNDS - DEPOSIT, rollup: DEPOSIT });
  await timed('payment', async () => {
    await pay(network, { from: alice, to: bob.address, mint, amount: AMOUNT, fee });
    await network.expect(bob, mint, { base: AMOUNT, rollup: 0n });
  });
  const left = FUNDS - DEPOSIT - AMOUNT - fee;
  await network.expect(alice, mint, { base: left, rollup: DEPOSIT });
  const args = { owner: alice.address, mint: mint.address, amount: BACK.toString() };
  await network.do(alice, 'spl.withdraw', args);
  await network.expect(alice, mint, { base: left + BACK, rollup: DEPOSIT - BACK });
}
