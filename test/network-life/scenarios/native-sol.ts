import type { Mints } from '../mints.ts';
import { WALLET_LAMPORTS, type Network } from '../network.ts';
import { feeOf, pay, timed } from '../payment.ts';

const AMOUNT = 1_000_000_007n;
const DEPOSIT = 900_000_011n;
const BACK = 400_000_003n;

/** What a shuttle and one signature cost, lamports. */
const WITHDRAWAL_LAMPORTS = 500_000n + 5_000n;

/** SOL is wrapped on the way to the vault, and comes out of it as plain lamports. */
export async function liveWithSol(network: Network, { sol }: Mints): Promise<void> {
  const fee = feeOf(AMOUNT);
  const alice = await network.person('Alice');
  const bob = await network.person('Bob');
  await timed('payment', async () => {
    const options = { initAtasIfMissing: true };
    await pay(network, { from: alice, to: bob.address, mint: sol, amount: AMOUNT, fee, options });
    await network.expectLamports(bob, WALLET_LAMPORTS + AMOUNT);
  });
  await network.expect(bob, sol, { base: 0n, rollup: 0n });
  const terms = { owner: alice.address, mint: sol.address };
  await network.do(alice, 'spl.deposit', { ...terms, amount: DEPOSIT.toString() });
  await network.expect(alice, sol, { base: 0n, rollup: DEPOSIT });
  const before = await network.lamportsOf(alice.address);
  await network.do(alice, 'spl.withdraw', { ...terms, amount: BACK.toString() });
  await network.expectLamports(alice, before + BACK - WITHDRAWAL_LAMPORTS);
  await network.expect(alice, sol, { base: 0n, rollup: DEPOSIT - BACK });
}
