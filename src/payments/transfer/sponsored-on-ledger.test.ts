import { expect, it } from 'vitest';
import { Clusters } from '../../chain/clusters.ts';
import { Keypair } from '../../ledger/keypair.ts';
import { LedgerChain } from '../../ledger/ledger-chain.ts';
import { openTestLedger } from '../../ledger/testing/test-ledger.ts';
import { SLOT_MS } from '../../ledger/time/slot-clock.ts';
import { silentLogger } from '../../ports/logger.ts';
import { MemoryTables } from '../../ports/tables.ts';
import { HandTimer } from '../../ports/testing/hand-timer.ts';
import { LOCALNET_VALIDATOR, USDC_MINT } from '../../programs/addresses.ts';
import { createKeySponsor } from '../../signing/service-keys.ts';
import { addressBytes } from '../../solana/address.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { TableBudgetStore } from '../fees/budget-store.ts';
import { SponsorBudget } from '../fees/sponsor.ts';
import { ANONYMOUS } from '../operation.ts';
import { createTransfer } from '../transfer.ts';

/** The sponsor's maximum cost of a public gasless transfer: two signatures, in lamports. */
const COST = 10_000n;

it('spends the cost of a sponsored transaction, and refunds one that was never sent', async () => {
  const scene = await openTestLedger();
  const { ledger, clock, random } = scene;
  const [sender, recipient] = [await scene.fundedWallet(), await scene.fundedWallet()];
  const seed = random.bytes(32);
  const payer = new Keypair(seed);
  await ledger.airdrop(payer.address, 1_000_000_000n);
  for (const { address } of [sender, recipient, payer]) {
    await ledger.airdropTokens(address, USDC_MINT, 5_000_000n);
  }
  const timer = new HandTimer();
  const store = new TableBudgetStore(new MemoryTables(), clock, 'sponsor');
  const budget = new SponsorBudget({ timer, logger: silentLogger }, store, 100n * COST);
  const sponsor = createKeySponsor(JSON.stringify([...seed, ...addressBytes(payer.address)]), 'KEY', {
    budget,
    customMints: [],
  });
  const clusters = new Clusters([new LedgerChain('localnet', ledger, LOCALNET_VALIDATOR)]);
  const operation = createTransfer({ clusters, random, sponsor });
  const build = async (amount: number): Promise<Uint8Array> => {
    const parties = { from: sender.address, to: recipient.address, mint: USDC_MINT, visibility: 'public' };
    const input = operation.input.parse({ ...parties, amount, gasless: true });
    const { output } = await operation.run(input, ANONYMOUS);
    return new Uint8Array(Buffer.from(output.transactionBase64, 'base64'));
  };
  const spentAfter = async (slots: number): Promise<bigint> => {
    clock.pass(slots * SLOT_MS);
    timer.pass(2_000);
    await new Promise((resolve) => setImmediate(resolve));
    return (await budget.figures()).spent;
  };
  const sent = await build(1_000_000);
  await build(1_000_001);
  sent.set(sender.sign(sent.subarray(decodeTransaction(sent).messageAt)), 1 + 64);
  const before = ledger.getAccount(payer.address)?.lamports as bigint;
  expect(await ledger.submit(decodeTransaction(sent))).toMatchObject({ err: null, landed: true });
  expect(before - (ledger.getAccount(payer.address)?.lamports as bigint)).toBe(COST);
  expect(await spentAfter(149)).toBe(2n * COST);
  expect(await spentAfter(40)).toBe(COST);
  await ledger.close();
});
