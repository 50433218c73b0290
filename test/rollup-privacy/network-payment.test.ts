import { describe, expect, it } from 'vitest';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/rollup/testing/layout-b-genesis.ts';
import { AT_ONCE } from '../../src/rollup/testing/layout-b-scene.ts';
import { IS_LONG } from '../length.ts';
import type { QueuedPayment } from './network-world.ts';
import { differences, toldOf } from './told.ts';

/*
 * Goal: strangers see the same whether or not someone has paid in private, and for any recipient and amount.
 * Method: the worlds differ only in the payment. In each, two strangers read and subscribe to everything there
 * is, and every answer of one world is compared with that of the other.
 */

/** One part that waits for a minute. */
const LATER = { ...AT_ONCE, minDelayMs: 60_000n, maxDelayMs: 60_000n };
const TO_BOB: QueuedPayment = { from: 'alice', to: 'bob', amount: 1_234_567n, terms: LATER };
const TO_CAROL: QueuedPayment = {
  from: 'alice',
  to: 'carol',
  amount: 7_654_321n,
  terms: { minDelayMs: 50_000n, maxDelayMs: 70_000n, split: 3, clientRefId: 4_242n },
};
const OF_DAVE: QueuedPayment = { ...TO_BOB, from: 'dave' };

/** What strangers see of a world, some time after someone has paid out of the rollup, or no one has. */
const toldOfQueued = (
  payment: QueuedPayment | null,
  { passMs = 500, knowsSignatures = true } = {},
): Promise<Map<string, string>> =>
  toldOf({
    passMs,
    knowsSignatures,
    async run(world) {
      if (payment !== null) await world.queue(payment);
    },
  });

describe.skipIf(LAYOUT_B_FOLDER === null)(`what strangers see (${NO_LAYOUT_B})`, () => {
  it('is the same for any payer, recipient, amount and number of parts', async () => {
    const told = await toldOfQueued(TO_BOB);
    expect(told.size).toBeGreaterThan(1_000);
    expect(differences(told, await toldOfQueued(TO_CAROL))).toEqual([]);
    if (IS_LONG) expect(differences(told, await toldOfQueued(OF_DAVE))).toEqual([]);
  });

  it('is the same whether or not someone has paid, except for the number of transactions', async () => {
    const asStrangers = { knowsSignatures: false };
    const parted = differences(
      await toldOfQueued(null, asStrangers),
      await toldOfQueued(TO_BOB, asStrangers),
    );
    const counted = ['getEpochInfo', 'getTransactionCount'];
    const questions = ['nobody', 'sam'].flatMap((who) => counted.map((method) => `${who}: ${method} []`));
    expect(parted.map((each) => each.split(': ', 2).join(': '))).toEqual([
      ...questions,
      // Requesting the block reads one more transaction; everyone can see that it exists.
      'reads: getAccount',
      'metrics: rollup_transactions_total',
    ]);
  });

  it('is the same on both ledgers for any payer after the payout', async () => {
    const told = await toldOfQueued(TO_BOB, { passMs: 90_000 });
    expect(differences(told, await toldOfQueued(OF_DAVE, { passMs: 90_000 }))).toEqual([]);
  });
});
