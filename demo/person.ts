import assert from 'node:assert/strict';
import { createClient, createKeyPairSignerFromBytes } from '@solana/kit';
import { privatePayments, type Payments, type Receipt } from 'spl-private-payments/kit';
import type { Gift, Localnet } from 'spl-private-payments/localnet';

/** A person with a wallet on a localnet. */
export interface Person {
  readonly name: string;
  /** The address of the wallet, base58. */
  readonly address: string;
  readonly payments: Payments;
}

/** Creates a wallet with SOL and tokens, and a client that pays with it. */
export async function createPerson(localnet: Localnet, name: string, gift: Gift): Promise<Person> {
  const wallet = await localnet.createWallet(gift);
  const payer = await createKeyPairSignerFromBytes(wallet.secretKey);
  const { payments } = createClient({ payer }).use(
    privatePayments({
      // The service builds the transactions and is not trusted.
      url: localnet.urls.service,
      // Before signing, the client verifies transactions with these two.
      base: localnet.urls.base,
      rollup: localnet.urls.rollup,
      layout: localnet.layout,
      // Payments from the rollup to base are paid out later by a queue, which the client cannot verify.
      accept: ['ARRIVAL_UNPROVEN', 'REQUEST_UNVERIFIABLE'],
    }),
  );
  console.log(`${name}: ${wallet.address}`);
  return { name, address: wallet.address, payments };
}

/** Makes a payment and prints its outcome. Fails unless it has arrived. */
export async function step(title: string, payment: Promise<Receipt>): Promise<void> {
  const { outcome, sendTo, signature } = await payment;
  console.log(`\n${title}\n   ${outcome}, sent to ${sendTo}: ${signature}`);
  assert.equal(outcome, 'arrived');
}

/** Checks the exact balances of a person on both ledgers, in base units. */
export async function expectBalances(
  { name, payments }: Person,
  mint: string,
  expected: { readonly base: bigint; readonly rollup: bigint },
): Promise<void> {
  const base = await payments.balance({ mint });
  const rollup = await payments.privateBalance({ mint });
  console.log(`   ${name} has ${base} base units on base and ${rollup} on the rollup`);
  assert.deepEqual({ base, rollup }, expected);
}
