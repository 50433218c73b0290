import { startLocalnet } from 'spl-private-payments/localnet';
import { createPerson, expectBalances, step } from './person.ts';

/** Initial balance of a wallet: 10 USDC. */
const FUNDS = 10_000_000n;

/**
 * Alice and Bob deposit, pay each other on the rollup, and withdraw. Both need an account on the rollup
 * first, because layout A does not support private payments from base to base.
 */
export async function lifeOnLayoutA(): Promise<void> {
  await using localnet = await startLocalnet();
  const { mint } = localnet;
  const alice = await createPerson(localnet, 'Alice', { sol: 1, tokens: FUNDS });
  const bob = await createPerson(localnet, 'Bob', { sol: 1, tokens: FUNDS });

  // The first deposit of a mint creates its vault.
  const deposit = alice.payments.deposit({ mint, amount: 3_500_011n, initVaultIfMissing: true });
  await step('Alice deposits 3.500011 USDC. Only she can read this balance on the rollup', deposit);
  await step('Bob deposits 1.000005 USDC', bob.payments.deposit({ mint, amount: 1_000_005n }));
  await expectBalances(alice, mint, { base: 6_499_989n, rollup: 3_500_011n });
  await expectBalances(bob, mint, { base: 8_999_995n, rollup: 1_000_005n });

  const onRollup = { mint, fromBalance: 'ephemeral', toBalance: 'ephemeral' } as const;
  const lunch = { ...onRollup, to: bob.address, amount: 1_250_003n, memo: 'for lunch' };
  await step('Alice pays Bob 1.250003 USDC on the rollup', alice.payments.transfer(lunch));
  const change = { ...onRollup, to: alice.address, amount: 333_333n };
  await step('Bob pays 0.333333 USDC back', bob.payments.transfer(change));
  await expectBalances(alice, mint, { base: 6_499_989n, rollup: 2_583_341n });
  await expectBalances(bob, mint, { base: 8_999_995n, rollup: 1_916_675n });

  await step('Alice asks the rollup to settle her balance on base', alice.payments.undelegate({ mint }));
  await step('Bob does the same', bob.payments.undelegate({ mint }));
  await localnet.settled();
  await step('Alice withdraws', alice.payments.withdraw({ mint, amount: 2_583_341n }));
  await step('Bob withdraws', bob.payments.withdraw({ mint, amount: 1_916_675n }));
  await expectBalances(alice, mint, { base: FUNDS - 1_250_003n + 333_333n, rollup: 0n });
  await expectBalances(bob, mint, { base: FUNDS + 1_250_003n - 333_333n, rollup: 0n });
  for (const { payments } of [alice, bob]) await payments.close();
}
