import { describe, expect, it } from 'vitest';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/rollup/testing/layout-b-genesis.ts';
import { AT_ONCE } from '../../src/rollup/testing/layout-b-scene.ts';
import { crawl, listen, sendProbes } from './crawl.ts';
import { openNetworkWorld, type QueuedPayment } from './network-world.ts';

/*
 * Goal: a stranger is told the same whether somebody has paid in private or not, and whomever and whatever
 * they paid. Method: worlds that are alike but for the payment; two strangers ask each for everything there is
 * and subscribe to it, and every answer of one world is compared with that of the other.
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

/**
 * What strangers are told of a world in which somebody pays, or nobody, by what they asked, and what is on
 * base; so long after the payment. In the end Sam pays as well and looks at what became of it.
 */
async function toldOf(payment: QueuedPayment | null, passMs = 500): Promise<Map<string, string>> {
  const world = await openNetworkWorld();
  const { rollup, base } = world.scene;
  const fromSlot = rollup.head().slot;
  const heard = await listen(world);
  if (payment !== null) await world.queue(payment);
  await world.pass(passMs);
  const told = new Map([
    ...(await crawl(world, fromSlot)),
    ...(await heard()),
    ...(await sendProbes(world)),
    ['base: accounts', asText([...base.accounts()].sort())],
    [
      'base: blocks',
      asText(base.slotsWithBlocks(0, base.head().slot, 100_000).map((slot) => base.block(slot))),
    ],
  ]);
  const paid = await world.queue({ ...TO_CAROL, from: 'sam' });
  told.set('sam: what he pays', await world.call('sam', 'getTransaction', [paid]));
  await world.close();
  return told;
}

const asText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint'
      ? `${each}`
      : each instanceof Uint8Array
        ? Buffer.from(each).toString('hex')
        : each,
  );

/** The questions two worlds answer differently, each with where the answers part. */
function differences(one: Map<string, string>, other: Map<string, string>): string[] {
  const questions = new Set([...one.keys(), ...other.keys()]);
  return [...questions].flatMap((question) => {
    const [left = '', right = ''] = [one.get(question), other.get(question)];
    if (left === right) return [];
    const at = Array.from(left).findIndex((letter, index) => letter !== right[index]);
    const around = (answer: string) => answer.slice(Math.max(0, at - 80), at + 80);
    return [`${question}: ${around(left)} <> ${around(right)}`];
  });
}

describe.skipIf(LAYOUT_B_FOLDER === null)(`what strangers are told (${NO_LAYOUT_B})`, () => {
  it('is the same whomever somebody pays, how much, in how many parts, and whoever pays', async () => {
    const told = await toldOf(TO_BOB);
    expect(told.size).toBeGreaterThan(1_000);
    expect(differences(told, await toldOf(TO_CAROL))).toEqual([]);
    expect(differences(told, await toldOf(OF_DAVE))).toEqual([]);
  });

  it('is the same whether somebody has paid at all, but for how many transactions there were', async () => {
    const parted = differences(await toldOf(null), await toldOf(TO_BOB));
    const counted = ['getEpochInfo', 'getTransactionCount'];
    const questions = ['nobody', 'sam'].flatMap((who) => counted.map((method) => `${who}: ${method} []`));
    expect(parted.map((each) => each.split(': ', 2).join(': '))).toEqual(questions);
  });

  it('is the same on both ledgers whoever has paid, once it is paid out', async () => {
    const told = await toldOf(TO_BOB, 90_000);
    expect(differences(told, await toldOf(OF_DAVE, 90_000))).toEqual([]);
  });
});
