import { describe, expect, it } from 'vitest';
import { HandTime } from '../../chain/testing/hand-time.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import { silentLogger, type Logger } from '../../ports/logger.ts';
import { CALLBACK_SIGNER } from '../../programs/magic/callback.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { BooksView } from '../books/books.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { LAYOUT_B_FOLDER } from '../testing/layout-b-genesis.ts';
import { openLayoutBScene, type LayoutBScene } from '../testing/layout-b-scene.ts';

/**
 * A payment is lived once, with every write of both ledgers put down in the order it became durable. Then
 * both ledgers are opened with each beginning of that: what a crash right after that write leaves. Whatever
 * was under way, everything has to come to the same end.
 */

const PAID = 1_000_000n;
/** 10 of 10,000. */
const FEE = 1_000n;
const HOUR_MS = 3_600_000;

/** What everybody has in the end. */
interface End {
  /** Base units of these on base, in the order of the wallets. */
  readonly onBase: readonly bigint[];
  readonly vault: bigint;
  /** Runs in which a program was told what had become of its request. */
  readonly callbacks: number;
}

interface Life {
  /** What is there before; a crash is not tried in it. */
  readonly begin: (scene: LayoutBScene) => Promise<readonly Keypair[]>;
  /** What crashes happen in: its first write is the first after which one is tried. */
  readonly live: (scene: LayoutBScene, wallets: readonly Keypair[]) => Promise<void>;
}

const logger: Logger = silentLogger;

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

/** What is still to be done, or was left behind. */
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

/** Lives a life and tries a crash after each of its writes; how many there were. */
async function crashEverywhere({ begin, live }: Life, expected: End): Promise<number> {
  const time = new HandTime();
  const stores = new CrashStores();
  const scene = await openLayoutBScene(stores.open(), { time, logger });
  await scene.initializeMint();
  const wallets = await begin(scene);
  await scene.rollup.settled();
  const from = stores.written.length;
  await live(scene, wallets);
  const accepted = stores.written.length;
  await pass(scene, time);
  const to = stores.written.length;
  expect(endOf(scene, wallets)).toEqual(expected);
  expect(leftOver(scene)).toEqual(NOTHING);
  await scene.close();
  expect(accepted).toBeGreaterThan(from);
  for (let count = from + 1; count <= to; count++) {
    const when = `after write ${count - from} of ${to - from}`;
    const later = new HandTime();
    await later.pass(HOUR_MS);
    const left = new CrashStores(stores.written.slice(0, count));
    const again = await openLayoutBScene(left.open(), { time: later, logger });
    await pass(again, later);
    expect(endOf(again, wallets), when).toEqual(expected);
    expect(leftOver(again), when).toEqual(NOTHING);
    // The vault has what all projections and eATAs have together.
    expect(again.vaultTokens(), when).toBe(again.tokens(again.rollup, again.queue));
    await again.close();
  }
  return to - from;
}

async function freeze({ base, ataOf }: { base: LayoutBScene['base']; ataOf: Address }): Promise<void> {
  const account = base.getAccount(ataOf) as Account;
  const data = Uint8Array.from(account.data);
  data[108] = 2;
  await base.setAccounts([[ataOf, { ...account, data }]]);
}

describe.skipIf(LAYOUT_B_FOLDER === null)('a crash after any write', () => {
  it('of a private payment in two parts leaves it paid exactly once', { timeout: 120_000 }, async () => {
    const terms = { minDelayMs: 0n, maxDelayMs: 0n, split: 2, clientRefId: 7n };
    const writes = await crashEverywhere(
      {
        begin: async (scene) => [await scene.wallet(PAID + FEE), await scene.wallet()],
        live: async (scene, [alice, bob]) => {
          const [from, to] = [alice as Keypair, (bob as Keypair).address];
          await scene.must(scene.base, from, ...scene.privateTransfer(from, to, PAID, terms));
        },
      },
      { onBase: [0n, PAID], vault: FEE, callbacks: 2 },
    );
    expect(writes).toBeGreaterThan(10);
  });

  it('of a payment that base refuses leaves it refunded exactly once', { timeout: 120_000 }, async () => {
    const writes = await crashEverywhere(
      {
        begin: async (scene) => {
          const [alice, bob] = [await scene.wallet(PAID + FEE), await scene.wallet(1n)] as const;
          await freeze({ base: scene.base, ataOf: scene.ataOf(bob.address) });
          return [alice, bob];
        },
        live: async (scene, [alice, bob]) => {
          const [from, to] = [alice as Keypair, (bob as Keypair).address];
          await scene.must(scene.base, from, ...scene.privateTransfer(from, to, PAID));
        },
      },
      { onBase: [PAID, 1n], vault: FEE, callbacks: 2 },
    );
    expect(writes).toBeGreaterThan(10);
  });

  it('of a rescue leaves the tokens with their owner', { timeout: 120_000 }, async () => {
    await crashEverywhere(
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
      { onBase: [PAID], vault: 0n, callbacks: 0 },
    );
  });
});
