import { describe, expect, it } from 'vitest';
import { lengthOf } from '../../../test/length.ts';
import { HandTime } from '../../chain/testing/hand-time.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import { CALLBACK_SIGNER } from '../../programs/magic/magic-call.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { BooksView } from '../books/books.ts';
import { CrashStores, type Write } from '../testing/crash-stores.ts';
import { LAYOUT_B_FOLDER } from '../testing/layout-b-genesis.ts';
import { type LayoutBScene, openLayoutBScene } from '../testing/layout-b-scene.ts';

/**
 * A payment is lived once, with every write of both ledgers put down in the order it became durable. Then
 * both ledgers are opened with each beginning of that: what a crash right after that write leaves. Whatever
 * was under way, everything has to come to the same end.
 */

const PAID = 1_000_000n;
/** 10 of 10,000. */
const FEE = 1_000n;
const HOUR_MS = 3_600_000;

/** Tokens of someone else in the vault, from which a double payment would be made. */
const OTHERS = 10_000_000n;

/** Crashes that leave prefixes of different lengths of the two stores, per scenario. */
const CUTS = lengthOf({ short: 6, long: 24 });

/** The final state. */
interface End {
  /** Base units of the wallets on base, in order. */
  readonly onBase: readonly bigint[];
  readonly vault: bigint;
  /** Runs in which a program was notified of the outcome of its request. */
  readonly callbacks: number;
}

/** The crashes tried. */
interface Crashes {
  readonly writes: number;
  /** Rollups that lost something they had acted upon, by whether the final state was the same anyway. */
  readonly lost: { readonly whole: number; readonly told: number };
  /** Crash points at which base has kept everything it had shown, and others. */
  readonly apart: number;
  readonly forgetful: number;
}

interface Life {
  /** The setup, in which no crash is tried. */
  readonly begin: (scene: LayoutBScene) => Promise<readonly Keypair[]>;
  /** The part with crashes. Its first write is the first after which one is tried. */
  readonly live: (scene: LayoutBScene, wallets: readonly Keypair[]) => Promise<void>;
}

async function pass(scene: LayoutBScene, time: HandTime): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await scene.rollup.settled();
    await time.pass(1_000);
  }
  await scene.rollup.settled();
}

function endOf(scene: LayoutBScene, wallets: readonly Keypair[]): End {
  return {
    onBase: wallets.map(({ address }) => scene.tokens(scene.base, address) ?? 0n),
    vault: scene.vaultTokens(),
    callbacks: scene.rollup.signaturesFor({ address: CALLBACK_SIGNER, limit: 10 }).length,
  };
}

/** Work in progress, or remains of it. */
function leftOver({ rollup, queueState }: LayoutBScene) {
  const books = new BooksView({
    get: (address) => rollup.getAccount(address) ?? undefined,
    ownedBy: (program) => rollup.programAccounts(program),
  });
  return {
    settlement: rollup.settlement,
    queued: queueState?.transfers.length,
    receipts: books.ephemerals().length,
    rescues: books.rescues().length,
  };
}

const NOTHING = {
  settlement: { pending: 0, stalled: 0, halted: [] },
  queued: 0,
  receipts: 0,
  rescues: 0,
};

/** Number of writes of both before the first one that each ledger has lost. */
interface Cut {
  readonly base: number;
  readonly rollup: number;
}

/**
 * What is left of both ledgers. Base keeps of what comes after the rollup's last write what it could do
 * without it: a transaction of the validator's is only sent once the rollup's books have it.
 */
function leftOf({ base, rollup }: Cut, written: readonly Write[], { address }: Keypair): readonly Write[] {
  const kept = written.filter(({ of }, index) => index < (of === 'base' ? base : rollup));
  const books = kept.flatMap(({ of, commit }) => (of === 'rollup' ? (commit.accounts ?? []) : []));
  const end = kept.findIndex(({ of, commit: { record } }) => {
    if (of !== 'base' || record === undefined) return false;
    const { staticKeys, signatures } = decodeTransaction(record.wire);
    const signature = Buffer.from(signatures[0] as Uint8Array);
    return staticKeys[0] === address && !books.some(([, { data }]) => Buffer.from(data).includes(signature));
  });
  return end < 0 ? kept : kept.filter(({ of }, index) => of === 'rollup' || index < end);
}

/** Whether base lost something it had published to the rollup, as after restoring a backup. */
function isForgetful({ base, rollup }: Cut, written: readonly Write[]): boolean {
  return written.slice(base, rollup).some(({ of }) => of === 'base');
}

/** Opens both ledgers from the remaining files, and waits until everything is settled. */
async function reopen(left: readonly Write[], logger: Logger = silentLogger): Promise<LayoutBScene> {
  const time = new HandTime();
  await time.pass(HOUR_MS);
  const scene = await openLayoutBScene(new CrashStores(left).open(), { time, logger });
  await pass(scene, time);
  return scene;
}

/** Lives a life and tries crashes: one after each of its writes, and some that cut the two stores apart. */
async function crashEverywhere(seed: string, { begin, live }: Life, expected: End): Promise<Crashes> {
  const time = new HandTime();
  const stores = new CrashStores();
  const scene = await openLayoutBScene(stores.open(), { time });
  await scene.initializeMint();
  const other = await scene.depositor(OTHERS);
  const wallets = await begin(scene);
  await scene.rollup.settled();
  const from = stores.written.length;
  const begun = endOf(scene, wallets).onBase;
  await live(scene, wallets);
  const accepted = stores.written.length;
  await pass(scene, time);
  const to = stores.written.length;
  expect(endOf(scene, wallets)).toEqual(expected);
  expect(leftOver(scene)).toEqual(NOTHING);
  await scene.close();
  expect(accepted).toBeGreaterThan(from);
  const { written } = stores;
  for (let count = from + 1; count <= to; count++) await expectEnd({ base: count, rollup: count });
  const lost = { whole: 0, told: 0 };
  for (let count = from + 1; count < to; count += lengthOf({ short: 2, long: 1 })) {
    lost[await expectLost(count)]++;
  }
  const random = new SeededRandom(seed);
  const cuts = Array.from({ length: CUTS }, () => ({
    // From 0 on: base may forget the very payment.
    base: from + random.integer(to - from + 1),
    rollup: from + 1 + random.integer(to - from),
  }));
  const forgetful = cuts.filter((cut) => isForgetful(cut, written));
  for (const cut of cuts) await (forgetful.includes(cut) ? expectNothingTwice(cut) : expectEnd(cut));
  return { writes: to - from, lost, apart: cuts.length - forgetful.length, forgetful: forgetful.length };

  async function expectEnd(cut: Cut): Promise<void> {
    const again = await reopen(leftOf(cut, written, scene.validator));
    const when = nameOf(cut);
    expect(endOf(again, wallets), when).toEqual(expected);
    expect(leftOver(again), when).toEqual(NOTHING);
    expect(again.tokens(again.rollup, other.address), when).toBe(OTHERS);
    // The vault has what all projections and eATAs have together.
    const ofQueue = again.tokens(again.rollup, again.queue) ?? 0n;
    expect(again.vaultTokens(), when).toBe(OTHERS + ofQueue);
    await again.close();
  }

  /**
   * A rollup that has lost writes which it had flushed, as when a backup is put in its place or a disk lied,
   * over a base that has kept all that followed from them. It may not know that base has paid: nothing is
   * paid a second time, and where something is missing it says so.
   */
  async function expectLost(count: number): Promise<'whole' | 'told'> {
    const errors: string[] = [];
    const logger: Logger = { ...silentLogger, error: (_, message) => errors.push(message) };
    const left = written.filter(({ of }, index) => of === 'base' || index < count);
    const again = await reopen(left, logger);
    const when = `base has all and the rollup ${count - from} of ${to - from} writes`;
    const end = endOf(again, wallets);
    for (const [index, amount] of expected.onBase.entries()) {
      expect(end.onBase[index], `${when}: wallet ${index}`).toBeLessThanOrEqual(amount);
    }
    expect(end.vault, when).toBeGreaterThanOrEqual(OTHERS);
    expect(again.tokens(again.rollup, other.address), when).toBe(OTHERS);
    const { settlement } = again.rollup;
    await again.close();
    if (settlement.pending === 0 && settlement.halted.length === 0) {
      expect(end.onBase, when).toEqual(expected.onBase);
      return 'whole';
    }
    expect(settlement.halted, when).toMatchObject([{ mint: again.mint }]);
    expect(errors, when).toContainEqual(expect.stringContaining('SETTLEMENT HALTED'));
    return 'told';
  }

  /** Even a base that loses what it has shown pays no one twice, and never with tokens of others. */
  async function expectNothingTwice(cut: Cut): Promise<void> {
    const again = await reopen(leftOf(cut, written, scene.validator));
    const when = nameOf(cut);
    const { onBase, vault } = endOf(again, wallets);
    const most = cut.base > from ? expected.onBase : begun;
    for (const [index, amount] of most.entries()) {
      expect(onBase[index], `${when}: wallet ${index}`).toBeLessThanOrEqual(amount);
    }
    const ofQueue = again.tokens(again.rollup, again.queue) ?? 0n;
    const isHalted = again.rollup.settlement.halted.length > 0;
    expect(again.tokens(again.rollup, other.address), when).toBe(OTHERS);
    expect(vault, when).toBeGreaterThanOrEqual(OTHERS + (isHalted ? 0n : ofQueue));
    await again.close();
  }

  function nameOf({ base, rollup }: Cut): string {
    return `base has ${base - from} and the rollup ${rollup - from} of ${to - from} writes`;
  }
}

function expectEnough({ writes, apart, forgetful }: Crashes): void {
  expect(writes).toBeGreaterThan(5);
  expect(apart).toBeGreaterThan(0);
  expect(forgetful).toBeGreaterThan(0);
}

describe.skipIf(LAYOUT_B_FOLDER === null)('a crash after any write', () => {
  it('of a private payment in two parts leaves it paid exactly once', { timeout: 600_000 }, async () => {
    const terms = { minDelayMs: 0n, maxDelayMs: 0n, split: 2, clientRefId: 7n };
    const crashes = await crashEverywhere(
      'paid in two parts',
      {
        begin: async (scene) => [await scene.wallet(PAID + FEE), await scene.wallet()],
        live: async (scene, [alice, bob]) => {
          const [from, to] = [alice as Keypair, (bob as Keypair).address];
          await scene.must(scene.base, from, ...scene.privateTransfer(from, to, PAID, terms));
        },
      },
      { onBase: [0n, PAID], vault: OTHERS + FEE, callbacks: 2 },
    );
    expectEnough(crashes);
    expect(crashes.lost.told).toBeGreaterThan(0);
  });

  it('of a payment that base rejects leaves it refunded exactly once', { timeout: 600_000 }, async () => {
    const crashes = await crashEverywhere(
      'refused by base',
      {
        begin: async (scene) => {
          const [alice, bob] = [await scene.wallet(PAID + FEE), await scene.wallet(1n)] as const;
          await scene.freeze(bob.address);
          return [alice, bob];
        },
        live: async (scene, [alice, bob]) => {
          const [from, to] = [alice as Keypair, (bob as Keypair).address];
          await scene.must(scene.base, from, ...scene.privateTransfer(from, to, PAID));
        },
      },
      { onBase: [PAID, 1n], vault: OTHERS + FEE, callbacks: 2 },
    );
    expectEnough(crashes);
  });

  it('of a rescue leaves the tokens with their owner', { timeout: 600_000 }, async () => {
    const crashes = await crashEverywhere(
      'rescued',
      {
        begin: async (scene) => {
          const alice = await scene.wallet(PAID);
          await scene.must(scene.base, alice, ...scene.delegation(alice));
          return [alice];
        },
        live: async (scene, [alice]) => {
          const wallet = alice as Keypair;
          await scene.must(scene.base, wallet, ...scene.withdrawal(wallet, 5n));
        },
      },
      { onBase: [PAID], vault: OTHERS, callbacks: 0 },
    );
    expectEnough(crashes);
  });
});
