import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Keypair } from '../../ledger/keypair.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { BooksView } from '../books/books.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { LAYOUT_B_FOLDER } from '../testing/layout-b-genesis.ts';
import { type LayoutBScene, openLayoutBScene } from '../testing/layout-b-scene.ts';

const PAID = 1_000_000n;
/** 10 of 10,000. */
const FEE = 1_000n;
const IDLE = { pending: 0, stalled: 0, halted: [] };

describe.skipIf(LAYOUT_B_FOLDER === null)('payments of layout B', () => {
  let scene: LayoutBScene;
  let errors: string[];
  let refuses: (transaction: Transaction) => TransactionError | null;
  beforeEach(async () => {
    errors = [];
    refuses = () => null;
    const logger: Logger = { ...silentLogger, error: (_, message) => errors.push(message) };
    scene = await openLayoutBScene(new CrashStores().open(), {
      logger,
      refuses: (transaction) => refuses(transaction),
    });
    await scene.initializeMint();
  });
  afterEach(() => scene.close());

  const booksOf = () =>
    new BooksView({
      get: (address) => scene.rollup.getAccount(address) ?? undefined,
      ownedBy: (program) => scene.rollup.programAccounts(program),
    });
  /** Waits as long as the queue takes to pay what is due. */
  const pass = async (ms: number): Promise<void> => {
    await scene.time.pass(ms);
    await scene.rollup.settled();
  };
  const pay = async (from: Keypair, to: Address, terms = {}): Promise<void> => {
    const whole = { minDelayMs: 0n, maxDelayMs: 0n, split: 1, clientRefId: null, ...terms };
    await scene.must(scene.base, from, ...scene.privateTransfer(from, to, PAID, whole));
    await scene.rollup.settled();
  };

  it('arrive complete from base to base, and the vault keeps the fee', async () => {
    const [alice, bob] = [await scene.wallet(PAID + FEE), await scene.wallet()] as const;
    await pay(alice, bob.address);
    await pass(500);
    expect(scene.tokens(scene.base, bob.address)).toBe(PAID);
    expect(scene.tokens(scene.base, alice.address)).toBe(0n);
    expect([scene.vaultTokens(), scene.tokens(scene.rollup, scene.queue)]).toEqual([FEE, FEE]);
    expect(scene.rollup.settlement).toEqual(IDLE);
    // The shuttle is closed on both ledgers, and so is the receipt.
    const shuttle = scene.shuttleOf(alice.address);
    for (const address of [shuttle.metadata, shuttle.eata, shuttle.walletAta]) {
      expect(scene.base.getAccount(address)).toBeNull();
      expect(scene.rollup.getAccount(address)).toBeNull();
    }
    const books = booksOf();
    expect([books.intents(), books.callbacks(), books.ephemerals(), books.rescues()]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(errors).toEqual([]);
  });

  it('are paid in parts, each when it is due', async () => {
    const [alice, bob] = [await scene.wallet(PAID + FEE), await scene.wallet()] as const;
    await pay(alice, bob.address, { minDelayMs: 10_000n, maxDelayMs: 20_000n, split: 3 });
    await pass(9_000);
    expect(scene.tokens(scene.base, bob.address)).toBeNull();
    expect(scene.queueState?.transfers).toHaveLength(3);
    await pass(20_000);
    expect(scene.queueState?.transfers).toEqual([]);
    expect(scene.tokens(scene.base, bob.address)).toBe(PAID);
    expect([scene.vaultTokens(), scene.tokens(scene.rollup, scene.queue)]).toEqual([FEE, FEE]);
    expect(booksOf().ephemerals()).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('are paid one part per tick if all parts are due', async () => {
    const [alice, bob] = [await scene.wallet(PAID + FEE), await scene.wallet()] as const;
    await pay(alice, bob.address, { split: 4 });
    const paid = [scene.tokens(scene.base, bob.address)];
    for (let tick = 0; tick < 4; tick++) {
      await pass(500);
      paid.push(scene.tokens(scene.base, bob.address));
    }
    expect(paid).toEqual([250_000n, 500_000n, 750_000n, PAID, PAID]);
    expect(booksOf().ephemerals()).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('are refunded to the sender, less the fee, if base rejects them', async () => {
    const [alice, bob] = [await scene.wallet(PAID + FEE), await scene.wallet(1n)] as const;
    await scene.freeze(bob.address);
    await pay(alice, bob.address);
    await pass(2_000);
    expect(scene.tokens(scene.base, bob.address)).toBe(1n);
    expect(scene.tokens(scene.base, alice.address)).toBe(PAID);
    expect([scene.vaultTokens(), scene.tokens(scene.rollup, scene.queue)]).toEqual([FEE, FEE]);
    expect(scene.rollup.settlement).toEqual(IDLE);
    expect(booksOf().ephemerals()).toEqual([]);
  });

  it('deposit, pay from the rollup to base, and withdraw by shuttle and directly, to the last unit', async () => {
    const [alice, bob] = [await scene.depositor(PAID), await scene.wallet()] as const;
    expect(scene.tokens(scene.rollup, alice.address)).toBe(PAID);
    await scene.must(scene.rollup, alice, scene.queueTransfer(alice, bob.address, 300_000n));
    await pass(1_000);
    expect(scene.tokens(scene.base, bob.address)).toBe(300_000n);
    await scene.must(scene.base, alice, ...scene.withdrawal(alice, 200_000n));
    await scene.rollup.settled();
    expect(scene.tokens(scene.base, alice.address)).toBe(200_000n);
    await scene.must(scene.rollup, alice, scene.undelegation(alice));
    await scene.rollup.settled();
    const left = scene.eataTokens(scene.base, alice.address) as bigint;
    await scene.must(scene.base, alice, scene.directWithdrawal(alice, left));
    const held = scene.tokens(scene.base, alice.address) as bigint;
    expect(held + 300_000n + scene.vaultTokens()).toBe(PAID);
    expect(scene.vaultTokens()).toBe(scene.tokens(scene.rollup, scene.queue));
    expect(scene.rollup.settlement).toEqual(IDLE);
    expect(errors).toEqual([]);
  });

  it('return a shuttle’s tokens to its owner on base at once if its actions fail', async () => {
    const alice = await scene.wallet(PAID);
    // More is asked for than is there: the transfer out of the rollup fails.
    await scene.must(scene.base, alice, ...scene.delegation(alice));
    await scene.must(scene.base, alice, ...scene.withdrawal(alice, 5n));
    await scene.rollup.settled();
    expect(booksOf().rescues()).toEqual([]);
    const shuttle = scene.shuttleOf(alice.address);
    expect(scene.base.getAccount(shuttle.eata)).toBeNull();
    expect(scene.base.getAccount(shuttle.metadata)).toBeNull();
    expect(scene.rollup.settlement).toEqual(IDLE);
    expect(scene.tokens(scene.base, alice.address)).toBe(PAID);
  });
});
