import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HandTime } from '../../chain/testing/hand-time.ts';
import { mintAccount } from '../../ledger/genesis/genesis.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import { buildTransaction } from '../../ledger/testing/test-ledger.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import { DELEGATION_PROGRAM } from '../../programs/addresses.ts';
import { EATA_TABLE } from '../../programs/ephemeral-token/table/eata.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import type { AccountMeta, Instruction } from '../../solana/instruction.ts';
import type { Transaction } from '../../solana/transaction.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { LAYOUT_B_FOLDER } from '../testing/layout-b-genesis.ts';
import { type LayoutBOptions, type LayoutBScene, openLayoutBScene } from '../testing/layout-b-scene.ts';

const PAID = 1_000_000n;
const FEE = 1_000n;
const IDLE = { pending: 0, stalled: 0, halted: [] };

describe.skipIf(LAYOUT_B_FOLDER === null)('settlement of layout B', () => {
  let scene: LayoutBScene;
  let stores: CrashStores;
  let time: HandTime;
  let errors: string[];
  let refuses: (transaction: Transaction) => TransactionError | null;
  const logger: Logger = { ...silentLogger, error: (_, message) => errors.push(message) };
  let reachesRollup: NonNullable<LayoutBOptions['reachesRollup']>;
  let hasDroppedHistory: boolean;
  const open = (): Promise<LayoutBScene> =>
    openLayoutBScene(stores.open(), {
      logger,
      time,
      refuses: (transaction) => refuses(transaction),
      reachesRollup: (event) => reachesRollup(event),
      hasDroppedHistory: () => hasDroppedHistory,
    });
  beforeEach(async () => {
    errors = [];
    refuses = () => null;
    reachesRollup = () => true;
    hasDroppedHistory = false;
    time = new HandTime();
    stores = new CrashStores();
    scene = await open();
    await scene.initializeMint();
  });
  afterEach(() => scene.close());

  const pay = async (from: Keypair, to: Address): Promise<void> => {
    await scene.must(scene.base, from, ...scene.privateTransfer(from, to, PAID));
    await scene.rollup.settled();
  };
  const pass = async (ms: number): Promise<void> => {
    await time.pass(ms);
    await scene.rollup.settled();
  };
  /** Makes base reject the rollup's transactions that name an account. */
  const hold = (address: Address): void => {
    refuses = ({ staticKeys }) => (staticKeys.includes(address) ? 'ClusterMaintenance' : null);
  };
  /** A withdrawal by a shuttle that a sponsor pays for: account 0. */
  const sponsored = async (sponsor: Keypair, owner: Keypair, amount: bigint): Promise<void> => {
    const [withdrawal] = scene.withdrawal(owner, amount) as [Instruction];
    const [payer, ...accounts] = withdrawal.accounts as [AccountMeta, ...AccountMeta[]];
    const paid = { ...withdrawal, accounts: [{ ...payer, address: sponsor.address }, ...accounts] };
    const { err } = await scene.base.submit(buildTransaction(scene.base, [sponsor, owner], [paid]));
    expect(err).toBeNull();
  };
  const editVault = async (amount: bigint): Promise<void> => {
    const ata = scene.ataOf(scene.vault);
    const account = scene.base.getAccount(ata) as Account;
    const data = Uint8Array.from(account.data);
    new DataView(data.buffer).setBigUint64(64, amount, true);
    await scene.base.setAccounts([[ata, { ...account, data }]]);
  };

  it('retries the closing of a shuttle until base accepts it, and pays others meanwhile', async () => {
    const [alice, bob, carol] = [
      await scene.wallet(PAID),
      await scene.wallet(PAID + FEE),
      await scene.wallet(),
    ] as const;
    const unloaded = scene.deposit(alice, PAID);
    const shuttle = scene.shuttleOf(alice.address);
    hold(shuttle.eata);
    await scene.must(scene.base, alice, ...unloaded);
    await scene.rollup.settled();
    expect(scene.rollup.settlement).toEqual({ pending: 1, stalled: 1, halted: [] });
    expect(errors).toEqual([expect.stringContaining('SETTLEMENT STALLED')]);
    expect(scene.base.getAccount(shuttle.eata)?.owner).toBe(DELEGATION_PROGRAM);
    // The tokens are hers all the same: the shuttle is empty.
    expect(scene.tokens(scene.rollup, alice.address)).toBe(PAID);
    await pay(bob, carol.address);
    await pass(1_000);
    expect(scene.tokens(scene.base, carol.address)).toBe(PAID);
    refuses = () => null;
    await pass(60_000);
    expect(scene.rollup.settlement).toEqual(IDLE);
    expect(scene.base.getAccount(shuttle.eata)).toBeNull();
  });

  it('closes the shuttles of others if one of the same sponsor cannot be closed', async () => {
    const sponsor = await scene.wallet();
    const [alice, bob] = [await scene.depositor(100n), await scene.depositor(100n)] as const;
    hold(scene.shuttleOf(alice.address, scene.shuttles + 1).eata);
    await sponsored(sponsor, alice, 30n);
    await sponsored(sponsor, bob, 40n);
    await scene.rollup.settled();
    const onBase = () => [alice, bob].map(({ address }) => scene.tokens(scene.base, address));
    expect(onBase()).toEqual([0n, 40n]);
    expect(scene.rollup.settlement).toEqual({ pending: 1, stalled: 1, halted: [] });
    refuses = () => null;
    await pass(60_000);
    expect(onBase()).toEqual([30n, 40n]);
    expect(scene.rollup.settlement).toEqual(IDLE);
  });

  it('returns a wallet’s tokens of one mint while another mint of it is halted', async () => {
    const mint = addressOf(new Uint8Array(32).fill(77));
    await scene.base.setAccounts([[mint, mintAccount(scene.base.faucet, 6)]]);
    const other = scene.withMint(mint, scene.tokenProgram);
    await other.initializeMint();
    const alice = await scene.depositor(100n);
    await scene.base.airdropTokens(alice.address, mint, 100n);
    await scene.must(scene.base, alice, ...other.deposit(alice, 100n));
    await scene.rollup.settled();
    await editVault(99n);
    await scene.must(scene.base, alice, ...scene.withdrawal(alice, 30n));
    await scene.must(scene.base, alice, ...other.withdrawal(alice, 40n));
    await scene.rollup.settled();
    const onBase = () => [scene, other].map((each) => each.tokens(scene.base, alice.address));
    expect(scene.rollup.settlement.halted).toMatchObject([{ mint: scene.mint }]);
    expect(onBase()).toEqual([0n, 40n]);
    await editVault(100n);
    await pass(60_000);
    expect(onBase()).toEqual([30n, 40n]);
    expect(scene.rollup.settlement).toEqual(IDLE);
  });

  it('pays nothing out of a vault that does not cover its claims, and resumes when it does', async () => {
    const [alice, bob, carol] = [
      await scene.depositor(500n),
      await scene.wallet(PAID + FEE),
      await scene.wallet(),
    ] as const;
    expect(scene.tokens(scene.rollup, alice.address)).toBe(500n);
    hold(scene.vault);
    await pay(bob, carol.address);
    await editVault(scene.vaultTokens() - 1n);
    refuses = () => null;
    await pass(60_000);
    const reason = 'the vault on base has 1 base units less than it owes';
    expect(scene.rollup.settlement.halted).toEqual([{ mint: scene.mint, reason }]);
    expect(scene.tokens(scene.base, carol.address)).toBeNull();
    await editVault(scene.vaultTokens() + 1n);
    await scene.rollup.settled();
    await pass(60_000);
    expect(scene.tokens(scene.base, carol.address)).toBe(PAID);
    expect(scene.vaultTokens()).toBe(500n + FEE);
    expect(scene.rollup.settlement).toEqual(IDLE);
  });

  it('returns no shuttle out of a vault that does not cover its claims, until it does', async () => {
    await scene.depositor(500n);
    const [alice, bob] = [await scene.wallet(100n), await scene.wallet()] as const;
    // Bob has nothing on the rollup that the deposit could arrive in.
    const unloaded = scene.deposit(alice, 60n, bob.address).slice(-1);
    hold(scene.shuttleOf(alice.address).eata);
    await scene.must(scene.base, alice, ...unloaded);
    await scene.rollup.settled();
    await editVault(scene.vaultTokens() - 1n);
    refuses = () => null;
    await pass(60_000);
    expect(scene.rollup.settlement).toMatchObject({ pending: 1, halted: [{ mint: scene.mint }] });
    expect([scene.tokens(scene.base, alice.address), scene.vaultTokens()]).toEqual([40n, 559n]);
    await editVault(scene.vaultTokens() + 1n);
    await pass(60_000);
    expect([scene.tokens(scene.base, alice.address), scene.vaultTokens()]).toEqual([100n, 500n]);
    expect(scene.rollup.settlement).toEqual(IDLE);
  });

  it('undelegates an eATA after payments that base does not know yet', async () => {
    const [alice, bob] = [await scene.wallet(PAID), await scene.wallet()] as const;
    const { mint, tokenProgram, vault } = scene;
    const owner = alice.address;
    const [makeAta, makeEata, delegate] = scene.delegation(alice) as [Instruction, Instruction, Instruction];
    const accounts = {
      eata: scene.eataOf(owner),
      vault,
      mint,
      ownerAta: scene.ataOf(owner),
      vaultAta: scene.ataOf(vault),
      owner,
      tokenProgram,
    };
    await scene.must(
      scene.base,
      alice,
      makeAta,
      makeEata,
      encode(EATA_TABLE.deposit, accounts, { amount: PAID }),
      delegate,
    );
    await scene.rollup.settled();
    await scene.must(scene.rollup, alice, scene.queueTransfer(alice, bob.address, 900_000n));
    await pass(1_000);
    expect(scene.tokens(scene.base, bob.address)).toBe(900_000n);
    expect([scene.eataTokens(scene.base, owner), scene.vaultTokens()]).toEqual([PAID, 100_000n]);
    await scene.must(scene.rollup, alice, scene.undelegation(alice));
    await scene.rollup.settled();
    expect(scene.eataTokens(scene.base, alice.address)).toBe(100_000n);
    await scene.must(scene.base, alice, scene.directWithdrawal(alice, 100_000n));
    expect(scene.vaultTokens()).toBe(0n);
    expect(errors).toEqual([]);
  });

  it('pays once if the rollup missed the event of the payment on base', async () => {
    const [alice, bob] = [await scene.wallet(PAID + FEE), await scene.wallet()] as const;
    // The vault could pay twice.
    await scene.base.airdropTokens(scene.vault, scene.mint, PAID);
    reachesRollup = ({ changes }) => !changes.some(({ address }) => address === scene.ataOf(bob.address));
    await pay(alice, bob.address);
    await pass(60_000);
    expect(scene.tokens(scene.base, bob.address)).toBe(PAID);
    expect([scene.vaultTokens(), scene.tokens(scene.rollup, scene.queue)]).toEqual([PAID + FEE, FEE]);
    expect(scene.rollup.settlement).toEqual(IDLE);
    expect(errors).toEqual([]);
  });

  it('holds a payment whose history base dropped, and halts until the vault has the amount again', async () => {
    const [alice, bob, carol] = [
      await scene.wallet(PAID + FEE),
      await scene.wallet(),
      await scene.depositor(500n),
    ] as const;
    reachesRollup = ({ changes }) => !changes.some(({ address }) => address === scene.ataOf(bob.address));
    hasDroppedHistory = true;
    await pay(alice, bob.address);
    await pass(60_000);
    expect(scene.tokens(scene.base, bob.address)).toBe(PAID);
    expect(scene.rollup.heldIntents).toHaveLength(1);
    expect(errors).toContainEqual(expect.stringContaining('PAYMENT HELD'));
    await scene.must(scene.rollup, carol, scene.undelegation(carol));
    await pass(60_000);
    const reason = `the vault on base has ${PAID} base units less than it owes`;
    expect(scene.rollup.settlement.halted).toEqual([{ mint: scene.mint, reason }]);
    expect(scene.eataTokens(scene.base, carol.address)).toBe(0n);
    await scene.base.airdropTokens(scene.vault, scene.mint, PAID);
    await pass(60_000);
    expect(scene.rollup.settlement.halted).toEqual([]);
    expect(scene.eataTokens(scene.base, carol.address)).toBe(500n);
    // It is not paid again, though the vault could.
    expect(scene.rollup.heldIntents).toHaveLength(1);
    expect(scene.tokens(scene.base, bob.address)).toBe(PAID);
  });

  it('drops everything in progress when base is reset', async () => {
    const [alice, bob] = [await scene.wallet(PAID + FEE), await scene.wallet()] as const;
    hold(scene.vault);
    await pay(alice, bob.address);
    expect(scene.rollup.settlement.pending).toBeGreaterThan(0);
    refuses = () => null;
    await scene.base.resetLedger();
    await scene.rollup.settled();
    await pass(60_000);
    expect(scene.rollup.settlement).toEqual(IDLE);
  });

  it('pays what became due while the rollup was stopped', async () => {
    const [alice, bob] = [await scene.wallet(PAID + FEE), await scene.wallet()] as const;
    const terms = { minDelayMs: 60_000n, maxDelayMs: 60_000n, split: 1, clientRefId: null };
    await scene.must(scene.base, alice, ...scene.privateTransfer(alice, bob.address, PAID, terms));
    await scene.rollup.settled();
    await scene.close();
    await time.pass(120_000);
    scene = await open();
    await scene.rollup.settled();
    expect(scene.tokens(scene.base, bob.address)).toBe(PAID);
    expect(errors).toEqual([]);
  });
});
