import { afterEach, describe, expect, it } from 'vitest';
import type { Keypair } from '../../ledger/keypair.ts';
import { buildTransaction } from '../../ledger/testing/test-ledger.ts';
import { EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import {
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
  deriveMagicFeeVault,
} from '../../programs/delegation/pdas.ts';
import { updateStealthPool } from '../../programs/ephemeral-token/layout-b/stealth-pool.ts';
import {
  mergeShuttle,
  sponsorLamportsTransfer,
} from '../../programs/ephemeral-token/layout-b/testing/instructions.ts';
import { deriveGroupReceipt, deriveLamportsPda, deriveRentPda } from '../../programs/ephemeral-token/pdas.ts';
import { deriveStealthPool } from '../../programs/ephemeral-token/stealth-pool.ts';
import { STEALTH_TABLE } from '../../programs/ephemeral-token/table/queue.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import { derivePermission } from '../../programs/permission/state.ts';
import { transferTokens } from '../../programs/token/instructions.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { BooksView } from '../books/books.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../testing/layout-b-genesis.ts';
import {
  AT_ONCE,
  type LayoutBOptions,
  type LayoutBScene,
  openLayoutBScene,
} from '../testing/layout-b-scene.ts';

let scene: LayoutBScene;
afterEach(() => scene.close());

/** The rollup with an initialized mint. */
async function open(options: LayoutBOptions = {}): Promise<LayoutBScene> {
  scene = await openLayoutBScene(new CrashStores().open(), options);
  await scene.initializeMint();
  return scene;
}

/** One part, paid after a minute. */
const LATER = { ...AT_ONCE, minDelayMs: 60_000n, maxDelayMs: 60_000n };

const NOT_WRITABLE = 'InvalidWritableAccount';

/** A payment of tag 16 that names the vault instead of the queue: account 1, and its ATA, account 4. */
const intoVault = (payment: Instruction): Instruction => ({
  ...payment,
  accounts: payment.accounts.map((meta, index) => {
    if (index === 1) return { ...meta, address: scene.vault };
    return index === 4 ? { ...meta, address: scene.ataOf(scene.vault) } : meta;
  }),
});

/** The books of the rollup. */
const books = (): BooksView =>
  new BooksView({
    get: (address) => scene.rollup.getAccount(address) ?? undefined,
    ownedBy: (program) => scene.rollup.programAccounts(program),
  });

describe.skipIf(LAYOUT_B_FOLDER === null)(`layout B on the rollup (${NO_LAYOUT_B})`, () => {
  it('shows a delegated queue under its program, and schedules the task that pays it out', async () => {
    await open();
    expect(scene.rollup.getAccount(scene.queue)?.owner).toBe(EPHEMERAL_TOKEN_PROGRAM);
    expect(scene.rollup.delegationStatus(scene.queue)).toEqual({ isDelegated: true, isUndelegating: false });
    const [task, ...others] = books().tasks();
    expect(others).toEqual([]);
    expect(task).toMatchObject({ authority: scene.queue, intervalMs: 500 });
    expect(scene.queueState?.crankTaskId).toBe(task?.taskId);
    expect(task?.instructions.map(({ data }) => [...data])).toEqual([[203]]);
  });

  it('unloads a shuttle in the commit that adds it, and requests its closing', async () => {
    await open();
    const alice = await scene.wallet(100n);
    await scene.must(scene.base, alice, ...scene.deposit(alice, 60n));
    // Base notifies the rollup before the sender of the deposit.
    expect(scene.tokens(scene.rollup, alice.address)).toBe(60n);
    expect(scene.eataTokens(scene.rollup, alice.address)).toBe(60n);
    const shuttle = scene.shuttleOf(alice.address);
    expect(scene.tokens(scene.rollup, shuttle.metadata)).toBe(0n);
    expect(scene.rollup.delegationStatus(shuttle.walletAta)).toEqual({
      isDelegated: true,
      isUndelegating: true,
    });
  });

  it('adds a second shuttle to a wallet’s balance', async () => {
    await open();
    const alice = await scene.wallet(100n);
    await scene.must(scene.base, alice, ...scene.deposit(alice, 60n));
    await scene.must(scene.base, alice, ...scene.deposit(alice, 40n));
    expect(scene.tokens(scene.rollup, alice.address)).toBe(100n);
  });

  it('pays a deposit to another wallet without an account on the rollup', async () => {
    await open();
    const alice = await scene.wallet(100n);
    const bob = await scene.wallet();
    await scene.must(scene.base, alice, ...scene.deposit(alice, 60n, bob.address));
    expect(scene.tokens(scene.rollup, bob.address)).toBe(60n);
  });

  it('puts a private payment into the queue, with a receipt that only its payer may read', async () => {
    await open();
    const alice = await scene.wallet(10_000n);
    const bob = await scene.wallet();
    await scene.must(scene.base, alice, ...scene.privateTransfer(alice, bob.address, 5_000n, LATER));
    expect(scene.queueState?.transfers).toMatchObject([
      {
        sourceOwner: alice.address,
        destinationOwner: bob.address,
        amount: 5_000n,
        createsDestinationAta: true,
      },
    ]);
    const groupId = scene.queueState?.transfers[0]?.groupId as number;
    const receipt = deriveGroupReceipt(scene.queue, alice.address, groupId).address;
    expect(books().ephemerals()).toEqual([
      {
        address: receipt,
        sponsor: scene.queue,
        program: EPHEMERAL_TOKEN_PROGRAM,
        reader: alice.address,
      },
    ]);
    expect(scene.rollup.getAccount(receipt)).toMatchObject({ owner: EPHEMERAL_TOKEN_PROGRAM });
    expect(scene.rollup.getAccount(receipt)?.data).toHaveLength(24 + 80);
    // Its readers are in the rollup's own books.
    expect(scene.rollup.getAccount(derivePermission(receipt).address)).toBeNull();
    expect(scene.tokens(scene.rollup, scene.queue)).toBe(5_005n);
    expect(scene.tokens(scene.base, alice.address)).toBe(4_995n);
  });

  it('queues the parts of a split payment, each with its due time, and reserves room in the receipt', async () => {
    await open();
    const alice = await scene.wallet(10_000n);
    const bob = await scene.wallet();
    const terms = { minDelayMs: 1_000n, maxDelayMs: 9_000n, split: 3, clientRefId: 77n };
    await scene.must(scene.base, alice, ...scene.privateTransfer(alice, bob.address, 5_000n, terms));
    const parts = scene.queueState?.transfers ?? [];
    expect(parts).toHaveLength(3);
    expect(parts.reduce((sum, { amount }) => sum + amount, 0n)).toBe(5_000n);
    expect(parts.every(({ clientRefId }) => clientRefId === 77n)).toBe(true);
    const delays = parts.map(({ readyAtMs }) => Number(readyAtMs) - scene.time.now());
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...delays)).toBeLessThanOrEqual(9_000);
    const [receipt] = books().ephemerals();
    expect(scene.rollup.getAccount(receipt?.address as Address)?.data).toHaveLength(24 + 3 * 80);
  });

  it('pays a private payment from a wallet’s balance on the rollup', async () => {
    await open();
    const alice = await scene.depositor(10_000n);
    const bob = await scene.wallet();
    await scene.must(
      scene.rollup,
      alice,
      scene.queueTransfer(alice, bob.address, 4_000n, { groupId: 9, terms: LATER }),
    );
    expect(scene.tokens(scene.rollup, alice.address)).toBe(6_000n);
    expect(scene.tokens(scene.rollup, scene.queue)).toBe(4_000n);
    expect(scene.queueState?.transfers).toMatchObject([{ amount: 4_000n, groupId: 9 }]);
    expect(books().ephemerals()).toMatchObject([{ reader: alice.address }]);
  });

  it('queues nothing that a wallet pays into the vault instead of the queue', async () => {
    await open();
    const [victor, alice] = [await scene.depositor(1_001_000n), await scene.depositor(1_000_000n)];
    const [bob, carol] = [await scene.wallet(), await scene.wallet()];
    const honest = scene.queueTransfer(victor, bob.address, 1_000_000n, { terms: LATER });
    await scene.must(scene.rollup, victor, honest);
    const diverted = intoVault(scene.queueTransfer(alice, carol.address, 1_000_000n));
    expect(await scene.submit(scene.rollup, alice, diverted)).toMatchObject({ err: NOT_WRITABLE });
    await scene.time.pass(61_000);
    await scene.rollup.settled();
    expect(scene.tokens(scene.base, carol.address)).toBeNull();
    expect(scene.tokens(scene.base, bob.address)).toBe(1_000_000n);
    expect(scene.tokens(scene.rollup, alice.address)).toBe(1_000_000n);
    expect(scene.tokens(scene.rollup, scene.vault)).toBe(0n);
  });

  it('pays nothing into the ATA of a vault, from which nobody could spend', async () => {
    await open();
    const alice = await scene.depositor(100n);
    const accounts = {
      source: scene.ataOf(alice.address),
      destination: scene.ataOf(scene.vault),
      authority: alice.address,
    };
    const { err } = await scene.submit(
      scene.rollup,
      alice,
      transferTokens(scene.tokenProgram, accounts, 100n),
    );
    expect(err).toBe(NOT_WRITABLE);
    expect(scene.tokens(scene.rollup, alice.address)).toBe(100n);
    expect(scene.tokens(scene.rollup, scene.vault)).toBe(0n);
  });

  it('changes nothing for a private payment that fails', async () => {
    await open();
    const alice = await scene.depositor(100n);
    const bob = await scene.wallet();
    const before = scene.rollup.getAccount(scene.queue);
    const { err } = await scene.submit(scene.rollup, alice, scene.queueTransfer(alice, bob.address, 101n));
    expect(err).not.toBeNull();
    expect(scene.rollup.getAccount(scene.queue)).toBe(before);
    expect(books().ephemerals()).toEqual([]);
    expect(scene.rollup.getAccount(deriveGroupReceipt(scene.queue, alice.address, 1).address)).toBeNull();
  });

  it('changes nothing when it simulates a private payment', async () => {
    await open();
    const alice = await scene.depositor(100n);
    const bob = await scene.wallet();
    const transaction = buildTransaction(
      scene.rollup,
      [alice],
      [scene.queueTransfer(alice, bob.address, 50n)],
    );
    const run = scene.rollup.simulate(transaction, { verifySignatures: true, replaceBlockhash: false });
    expect(run.err).toBeNull();
    const receipt = deriveGroupReceipt(scene.queue, alice.address, 1).address;
    expect(run.accountAfter(receipt)?.data).toHaveLength(104);
    expect(scene.rollup.getAccount(receipt)).toBeNull();
    expect(books().ephemerals()).toEqual([]);
    expect(scene.queueState?.transfers).toEqual([]);
  });

  it('loads a shuttle on the rollup that brings tokens to base', async () => {
    await open();
    const alice = await scene.depositor(100n);
    await scene.must(scene.base, alice, ...scene.withdrawal(alice, 30n));
    expect(scene.tokens(scene.rollup, alice.address)).toBe(70n);
    const { metadata, walletAta } = scene.shuttleOf(alice.address);
    expect(scene.tokens(scene.rollup, metadata)).toBe(30n);
    expect(scene.rollup.delegationStatus(walletAta).isUndelegating).toBe(true);
  });

  it('freezes a shuttle that is being returned', async () => {
    await open({ refuses: () => 'ClusterMaintenance' });
    const alice = await scene.depositor(100n);
    await scene.must(scene.base, alice, ...scene.withdrawal(alice, 30n));
    const { metadata, walletAta } = scene.shuttleOf(alice.address);
    const { err } = await scene.submit(
      scene.rollup,
      alice,
      mergeShuttle({
        owner: alice.address,
        destinationAta: scene.ataOf(alice.address),
        shuttle: { metadata, walletAta },
        mint: scene.mint,
        tokenProgram: scene.tokenProgram,
      }),
    );
    expect(err).toBe('InvalidWritableAccount');
    expect(scene.tokens(scene.rollup, metadata)).toBe(30n);
  });

  it('schedules the task again on request, but never a second one', async () => {
    await open();
    const nobody = await scene.wallet();
    await scene.must(scene.rollup, nobody, scene.ensureCrank(nobody));
    expect(books().tasks()).toHaveLength(1);
  });
});

describe.skipIf(LAYOUT_B_FOLDER === null)(`other delegated accounts (${NO_LAYOUT_B})`, () => {
  const delegationOf = (account: Address) => ({
    buffer: deriveDelegateBuffer(account, EPHEMERAL_TOKEN_PROGRAM).address,
    record: deriveDelegationRecord(account).address,
    metadata: deriveDelegationMetadata(account).address,
  });

  it('can be changed here by their program: payments use the new keys of a stealth pool', async () => {
    await open();
    const [alice, carol] = [await scene.wallet(10_000n), await scene.wallet()];
    const pool = deriveStealthPool('carol').address;
    const accounts = { payer: carol.address, pool, authority: carol.address };
    await scene.must(
      scene.base,
      carol,
      encode(
        STEALTH_TABLE.delegateStealthPool,
        { ...accounts, permission: derivePermission(pool).address, delegation: delegationOf(pool) },
        { handle: 'carol', validator: scene.validator.address },
      ),
    );
    expect(scene.rollup.getAccount(pool)?.owner).toBe(EPHEMERAL_TOKEN_PROGRAM);
    const hidden = await scene.wallet();
    const keys = { destinations: [hidden.address], splitAcrossKeys: false };
    await scene.must(scene.rollup, carol, updateStealthPool(accounts, 'carol', keys));
    await scene.must(scene.base, alice, ...scene.privateTransfer(alice, pool, 5_000n, LATER));
    expect(scene.queueState?.transfers).toMatchObject([{ destinationOwner: hidden.address }]);
  });

  it('that carry lamports pass them on in the commit that adds them, and return', async () => {
    await open({ refuses: () => 'ClusterMaintenance' });
    const alice = await scene.wallet();
    const salt = new Uint8Array(32).fill(5);
    const lamportsPda = deriveLamportsPda(alice.address, scene.queue, salt).address;
    const before = scene.rollup.getAccount(scene.queue)?.lamports ?? 0n;
    await scene.must(
      scene.base,
      alice,
      sponsorLamportsTransfer(
        {
          payer: alice.address,
          rentPda: deriveRentPda().address,
          lamportsPda,
          delegation: delegationOf(lamportsPda),
          destination: scene.queue,
          destinationRecord: deriveDelegationRecord(scene.queue).address,
        },
        20_000_000n,
        salt,
      ),
    );
    expect((scene.rollup.getAccount(scene.queue)?.lamports ?? 0n) - before).toBe(20_000_000n);
    expect(books().intents()).toMatchObject([{ lamports: [lamportsPda], commits: [] }]);
  });

  it('exist again after a restart, including the queue’s task', async () => {
    const stores = new CrashStores();
    scene = await openLayoutBScene(stores.open());
    await scene.initializeMint();
    const { time } = scene;
    const [queue, tasks] = [scene.rollup.getAccount(scene.queue), books().tasks()];
    await scene.close();
    scene = await openLayoutBScene(stores.open(), { time });
    expect(scene.rollup.getAccount(scene.queue)).toEqual(queue);
    expect(books().tasks()).toEqual(tasks);
    const [alice, bob] = [await scene.depositor(10_000n), await scene.wallet()];
    await scene.must(scene.rollup, alice, scene.queueTransfer(alice, bob.address, 4_000n, { terms: LATER }));
    expect(scene.queueState?.transfers).toHaveLength(1);
  });

  it('are removed when base is reset, and added again with the task that pays them out', async () => {
    await open();
    const magicFeeVault = deriveMagicFeeVault(scene.validator.address).address;
    const before = scene.base.getAccount(magicFeeVault);
    await scene.base.resetLedger();
    await scene.rollup.settled();
    expect(before).not.toBeNull();
    expect(scene.base.getAccount(magicFeeVault)).toEqual(before);
    expect([scene.rollup.getAccount(scene.queue), books().tasks()]).toEqual([null, []]);
    await scene.initializeMint();
    expect(books().tasks()).toHaveLength(1);
    const [alice, bob] = [await scene.depositor(10_000n), await scene.wallet()];
    await scene.must(scene.rollup, alice, scene.queueTransfer(alice, bob.address, 4_000n));
    await scene.time.pass(2_000);
    await scene.rollup.settled();
    expect(scene.tokens(scene.base, bob.address)).toBe(4_000n);
  });
});

describe.skipIf(LAYOUT_B_FOLDER === null)(`failing actions of a delegation (${NO_LAYOUT_B})`, () => {
  /** A deposit for a wallet that is not delegated. */
  async function depositForNobody(options: LayoutBOptions = {}): Promise<Record<'alice' | 'bob', Keypair>> {
    await open(options);
    const alice = await scene.wallet(100n);
    const bob = await scene.wallet();
    const [deposit] = scene.deposit(alice, 60n, bob.address).slice(-1) as [Instruction];
    await scene.must(scene.base, alice, deposit);
    return { alice, bob };
  }

  it('leave no trace, and return the shuttle’s tokens at once', async () => {
    const { alice, bob } = await depositForNobody();
    expect(scene.tokens(scene.rollup, bob.address)).toBeNull();
    await scene.rollup.settled();
    expect(scene.tokens(scene.base, alice.address)).toBe(100n);
    expect([books().rescues(), books().intents(), scene.vaultTokens()]).toEqual([[], [], 0n]);
  });

  it('are in the books with their reason until base has accepted the return', async () => {
    await depositForNobody({ refuses: () => 'ClusterMaintenance' });
    expect(books().rescues()).toMatchObject([{ reason: expect.stringContaining('InvalidAccountOwner') }]);
  });

  it('put nothing into an ATA that is being returned', async () => {
    await open({ refuses: () => 'ClusterMaintenance' });
    const [alice, bob] = [await scene.wallet(100n), await scene.depositor(5n)];
    await scene.must(scene.rollup, bob, scene.undelegation(bob));
    await scene.must(scene.base, alice, ...scene.deposit(alice, 60n, bob.address).slice(-1));
    expect(scene.tokens(scene.rollup, bob.address)).toBe(5n);
    expect(books().rescues()).toMatchObject([{ reason: 'InvalidWritableAccount' }]);
  });

  it('are not retried after they have failed, even after a restart', async () => {
    const stores = new CrashStores();
    scene = await openLayoutBScene(stores.open(), { refuses: () => 'ClusterMaintenance' });
    await scene.initializeMint();
    const alice = await scene.wallet(100n);
    const bob = await scene.wallet();
    await scene.must(scene.base, alice, ...scene.deposit(alice, 60n, bob.address).slice(-1));
    const { time } = scene;
    await scene.close();
    scene = await openLayoutBScene(stores.open(), { time, refuses: () => 'ClusterMaintenance' });
    await scene.must(scene.base, bob, ...scene.delegation(bob));
    await scene.time.pass(60_000);
    expect(scene.tokens(scene.rollup, bob.address)).toBe(0n);
    expect(books().rescues()).toHaveLength(1);
  });
});
