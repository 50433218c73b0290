import { describe } from 'vitest';
import type { Keypair } from '../../src/ledger/keypair.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { accountOf } from '../../src/ledger/testing/make-account.ts';
import { buildTransaction } from '../../src/ledger/testing/test-ledger.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { encode } from '../../src/programs/instruction-table/encode.ts';
import { derivePermission } from '../../src/programs/permission/state.ts';
import { transferTokens } from '../../src/programs/token/instructions.ts';
import { TOKEN_TABLE } from '../../src/programs/token/table.ts';
import { ROLLUP_BOOKS } from '../../src/rollup/books/item.ts';
import { permissionAccount } from '../../src/rollup/privacy/testing/permission-account.ts';
import {
  ALICE_AMOUNT,
  type Holder,
  MINT,
  openPrivateRollup,
  type PrivateRollup,
} from '../../src/rollup/privacy/testing/private-rollup.ts';
import { CrashStores } from '../../src/rollup/testing/crash-stores.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/rollup/testing/layout-b-genesis.ts';
import { type LayoutBScene, openLayoutBScene } from '../../src/rollup/testing/layout-b-scene.ts';
import type { Address } from '../../src/solana/address.ts';

/** The layout of a rollup's programs. */
export type PrivateLayout = 'a' | 'b';

/**
 * A rollup on which Alice's tokens are private, and Bob's and Sam's are public. Sam is Alice's delegate,
 * which gives him no read permission.
 */
export interface PrivateScene extends Pick<
  PrivateRollup,
  'views' | 'alice' | 'bob' | 'sam' | 'pay' | 'permit'
> {
  readonly rollup: Ledger;
  readonly clock: Clock;
  readonly mint: Address;
  /** Makes the rollup write an entry about an unrelated wallet into its books. */
  writeBooks(): Promise<void>;
  /** Advances time by `ms`, and waits until the rollup's pending work is complete. */
  pass(ms: number): Promise<void>;
  /** Like {@link pass}, for hours: work of the skipped slots runs once, at the end. */
  leap(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Runs a suite on both layouts. Skips layout B if the networks' programs are missing. */
export function onBothLayouts(suite: (layout: PrivateLayout) => void): void {
  describe('on layout A', () => suite('a'));
  describe.skipIf(LAYOUT_B_FOLDER === null)(`on layout B (${NO_LAYOUT_B})`, () => suite('b'));
}

export const openPrivateScene = (layout: PrivateLayout): Promise<PrivateScene> =>
  layout === 'a' ? openOnLayoutA() : openOnLayoutB();

/** Sets accounts directly to the state in which settlement leaves a rollup. */
async function openOnLayoutA(): Promise<PrivateScene> {
  const scene = await openPrivateRollup();
  const { rollup, clock } = scene;
  return {
    ...scene,
    mint: MINT,
    async writeBooks() {
      await rollup.setAccounts([[ROLLUP_BOOKS, accountOf(ROLLUP_BOOKS, Buffer.from('settled'))]]);
    },
    async pass(ms) {
      clock.pass(ms);
    },
    async leap(ms) {
      clock.pass(ms);
    },
  };
}

/** Makes deposits with shuttles, as on the networks. */
async function openOnLayoutB(): Promise<PrivateScene> {
  const scene = await openLayoutBScene(new CrashStores().open(), { concealsNames: true });
  const { base, rollup, views, time, mint } = scene;
  await scene.initializeMint();
  const alice = await holderOf(scene, ALICE_AMOUNT, true);
  const dave = await holderOf(scene, 5n, true);
  const bob = await holderOf(scene, 1_000n, false);
  const sam = await holderOf(scene, 2_000n, false);
  const approval = encode(
    TOKEN_TABLE.approve,
    { source: alice.ata, delegate: sam.address, authority: alice.address },
    { amount: 1n },
  );
  await scene.must(rollup, alice.wallet, { ...approval, programId: TOKEN_PROGRAM });
  // Sam may see that transaction, because it names him. So it gets its own slot.
  await passAndRest(scene, rollup.slotMs);
  return {
    rollup,
    views,
    mint,
    alice,
    bob,
    sam,
    clock: time,
    async pay(from, to, amount) {
      const accounts = { source: from.ata, destination: to.ata, authority: from.address };
      const payment = transferTokens(TOKEN_PROGRAM, accounts, amount);
      const { err, signature } = await rollup.submit(buildTransaction(rollup, [from.wallet], [payment]));
      if (err !== null) throw new Error(JSON.stringify(err));
      return signature;
    },
    async permit({ permission, eata }, members) {
      await base.setAccounts([[permission, permissionAccount(eata, members)]]);
    },
    async writeBooks() {
      // The books contain the queue's task, which each call cancels or schedules in turn.
      await scene.must(rollup, dave.wallet, scene.ensureCrank(dave.wallet));
    },
    pass: (ms) => passAndRest(scene, ms),
    async leap(ms) {
      await time.leap(ms);
      await rollup.settled();
    },
    close: () => scene.close(),
  };
}

async function passAndRest({ rollup, time }: LayoutBScene, ms: number): Promise<void> {
  await time.pass(ms);
  await rollup.settled();
}

async function holderOf(scene: LayoutBScene, amount: bigint, isPrivate: boolean): Promise<Holder> {
  const wallet: Keypair = await scene.wallet(amount);
  const deposit = isPrivate ? scene.privateDeposit(wallet, amount) : scene.deposit(wallet, amount);
  await scene.must(scene.base, wallet, ...deposit);
  await scene.rollup.settled();
  const { address } = wallet;
  const eata = scene.eataOf(address);
  return {
    wallet,
    address,
    ata: scene.ataOf(address),
    eata,
    permission: derivePermission(eata).address,
  };
}
