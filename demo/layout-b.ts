import { startLocalnet } from 'spl-private-payments/localnet';
import { createPerson, expectBalances, step } from './person.ts';

/** Initial balance of a wallet: 10 USDC. */
const FUNDS = 10_000_000n;

/**
 * Alice pays Bob from base to base, on the rollup and back to base, and withdraws the rest.
 *
 * @param programs the folder of the networks' programs.
 */
export async function lifeOnLayoutB(programs: string): Promise<void> {
  await using localnet = await startLocalnet({ programs });
  const { mint } = localnet;
  const alice = await createPerson(localnet, 'Alice', { sol: 1, tokens: FUNDS });
  const bob = await createPerson(localnet, 'Bob', { sol: 1, tokens: 1n });
  await step('Alice prepares the mint for private payments', alice.payments.initializeMint({ mint }));

  // The payment waits in a queue on the rollup for the requested delay. Bob needs no account there.
  const lunch = { mint, to: bob.address, amount: 1_250_000n, split: 2, minDelayMs: 100, maxDelayMs: 500 };
  await step('Alice pays Bob 1.25 USDC privately, from base to base', alice.payments.transfer(lunch));
  // She also pays a fee of 0.1 %.
  await expectBalances(alice, mint, { base: 8_748_750n, rollup: 0n });
  await expectBalances(bob, mint, { base: 1_250_001n, rollup: 0n });

  await step('Alice deposits 3.5 USDC', alice.payments.deposit({ mint, amount: 3_500_000n }));
  await step('Bob deposits 0.5 USDC', bob.payments.deposit({ mint, amount: 500_000n }));
  const onRollup = { mint, fromBalance: 'ephemeral', toBalance: 'ephemeral' } as const;
  const coffee = { ...onRollup, to: bob.address, amount: 400_000n };
  await step('Alice pays Bob 0.4 USDC on the rollup', alice.payments.transfer(coffee));
  await expectBalances(alice, mint, { base: 5_248_750n, rollup: 3_100_000n });
  await expectBalances(bob, mint, { base: 750_001n, rollup: 900_000n });

  const toBase = { mint, to: bob.address, amount: 100_000n, fromBalance: 'ephemeral' } as const;
  await step('Alice pays 0.1 USDC from the rollup to Bob on base', alice.payments.transfer(toBase));
  await expectBalances(bob, mint, { base: 850_001n, rollup: 900_000n });

  await step('Alice withdraws the rest', alice.payments.withdraw({ mint, amount: 3_000_000n }));
  await step('Bob withdraws', bob.payments.withdraw({ mint, amount: 900_000n }));
  await expectBalances(alice, mint, { base: 8_248_750n, rollup: 0n });
  await expectBalances(bob, mint, { base: 1_750_001n, rollup: 0n });
  for (const { payments } of [alice, bob]) await payments.close();
}
