import { crawl, crawlSignatures, listen, sendProbes } from './crawl.ts';
import { createDisguise } from './disguise.ts';
import { openNetworkWorld, type Currency, type NetworkWorld } from './network-world.ts';

/** The events in a world. */
export interface Happening {
  readonly currency?: Currency;
  /** Runs before anyone subscribes. It is the same in all compared worlds. */
  readonly before?: (world: NetworkWorld) => Promise<void>;
  /** The events in which the worlds differ. */
  readonly run: (world: NetworkWorld) => Promise<void>;
  /** Time between these events and the questions of strangers, in ms. */
  readonly passMs: number;
  /** Throws unless the events had their effect, because worlds without effects are equal too. */
  readonly expectEnd?: (world: NetworkWorld) => void;
  /** Whether strangers know the signatures of hidden transactions. Default: true. */
  readonly knowsSignatures?: boolean;
}

/** Matches the durations of calls, but not their number. */
const IS_TIME = /^rollup_rpc_call_duration_seconds_(bucket|sum)/;

/** Sam's final payment from a rollup where others may have paid. */
const OF_SAM = {
  from: 'sam',
  to: 'carol',
  amount: 7_654_321n,
  terms: { minDelayMs: 50_000n, maxDelayMs: 70_000n, split: 3, clientRefId: 4_242n },
} as const;

/**
 * Collects everything that strangers can learn about a world, by question: all answers of the rollup, the
 * metrics and the log of the node, and every account and block of base. Subscriptions and the log cover the
 * whole time; the rest is requested at the end.
 */
export async function toldOf(happening: Happening): Promise<Map<string, string>> {
  const { currency, before, run, passMs, expectEnd, knowsSignatures = true } = happening;
  const world = await openNetworkWorld(currency);
  const { rollup, base } = world.scene;
  await before?.(world);
  const fromSlot = rollup.head().slot;
  const heard = await listen(world);
  await run(world);
  await world.pass(passMs);
  expectEnd?.(world);
  const known = knowsSignatures ? hiddenSignatures(world, fromSlot) : [];
  const readBefore = new Map(world.reads);
  const crawled = await crawl(world, fromSlot);
  const told = new Map([
    ...crawled,
    ...readSince(readBefore, world.reads),
    ...(await heard()),
    ...(await crawlSignatures(world, known)),
    ...(await sendProbes(world)),
    ...figuresIn(await world.registry.write()),
    ['log', world.logged.join('\n')],
    ['base: accounts', asText([...base.accounts()].sort())],
    [
      'base: blocks',
      asText(base.slotsWithBlocks(0, base.head().slot, 100_000).map((slot) => base.block(slot))),
    ],
  ]);
  told.set('sam: what he pays', await world.call('sam', 'getTransaction', [await world.queue(OF_SAM)]));
  await world.close();
  const disguise = createDisguise(world.opaque);
  return new Map([...told].map(([question, answer]) => [question, disguise(answer)]));
}

/** Returns the signatures of transactions since a slot that are hidden from strangers, in order. */
function hiddenSignatures({ scene: { rollup, views } }: NetworkWorld, fromSlot: number): string[] {
  const nobody = views.viewFor(null);
  return rollup
    .slotsWithBlocks(fromSlot, rollup.head().slot, 100_000)
    .flatMap((slot) => rollup.block(slot)?.transactions ?? [])
    .map(({ signature }) => signature)
    .filter((signature) => nobody.getTransaction(signature) === null);
}

/** Returns the number of reads of the rollup since `before`, by method. */
const readSince = (
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
): (readonly [string, string])[] =>
  [...now].map(([name, count]) => [`reads: ${name}`, `${count - (before.get(name) ?? 0)}`]);

/** Returns each figure of `/metrics` by name, except those that depend on this machine's time. */
const figuresIn = (metrics: string): (readonly [string, string])[] =>
  metrics
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !IS_TIME.test(line))
    .map((line) => [`metrics: ${line.slice(0, line.lastIndexOf(' '))}`, line]);

const asText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint'
      ? `${each}`
      : each instanceof Uint8Array
        ? Buffer.from(each).toString('hex')
        : each,
  );

/** Returns the questions that two worlds answer differently, each with the first difference. */
export function differences(
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
): readonly string[] {
  const questions = new Set([...one.keys(), ...other.keys()]);
  return [...questions].flatMap((question) => {
    const [left = '', right = ''] = [one.get(question), other.get(question)];
    if (left === right) return [];
    const at = Array.from(left).findIndex((letter, index) => letter !== right[index]);
    const around = (answer: string) => answer.slice(Math.max(0, at - 80), at + 80);
    return [`${question}: ${around(left)} <> ${around(right)}`];
  });
}
