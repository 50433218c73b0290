import type { Keypair } from '../../src/ledger/keypair.ts';
import { buildTransaction } from '../../src/ledger/testing/test-ledger.ts';
import { createPermission } from '../../src/programs/ephemeral-token/layout-b/permission.ts';
import { derivePermission } from '../../src/programs/permission/pdas.ts';
import type { DeliveryTerms } from '../../src/programs/private-transfer/delivery-terms.ts';
import { CrashStores } from '../../src/rollup/testing/crash-stores.ts';
import { openLayoutBScene, type LayoutBScene } from '../../src/rollup/testing/layout-b-scene.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { serveReaders, type ReaderServer } from './reader-server.ts';

/** Alice and Dave have private tokens on the rollup, Sam has public ones; Bob and Carol have nothing. */
const NAMES = ['alice', 'dave', 'sam', 'bob', 'carol'] as const;
export type Name = (typeof NAMES)[number];

/** A private payment out of what somebody has on the rollup. */
export interface QueuedPayment {
  readonly from: Name;
  readonly to: Name;
  readonly amount: bigint;
  readonly terms: DeliveryTerms;
}

/** The group that every payment of a world is, and what its receipt is derived from. */
export const GROUP_ID = 77_123;

/**
 * A layout-B ledger and its rollup behind real servers. Two of them are alike to the last byte until
 * something else happens in them.
 */
export interface NetworkWorld extends ReaderServer<'alice' | 'sam'> {
  readonly scene: LayoutBScene;
  readonly wallets: Readonly<Record<Name, Keypair>>;
  /** Lands a payment on the rollup; its signature. */
  queue(payment: QueuedPayment): Promise<string>;
  /** Lets time pass, and everything come to rest. */
  pass(ms: number): Promise<void>;
}

export async function openNetworkWorld(): Promise<NetworkWorld> {
  const scene = await openLayoutBScene(new CrashStores().open(), { concealsNames: true });
  await scene.initializeMint();
  const wallets = {
    alice: await scene.wallet(20_000_000n),
    dave: await scene.wallet(20_000_000n),
    sam: await scene.wallet(20_000_000n),
    bob: await scene.wallet(),
    carol: await scene.wallet(),
  };
  for (const name of ['alice', 'dave'] as const) {
    await scene.must(scene.base, wallets[name], ...privateDeposit(scene, wallets[name], 15_000_000n));
  }
  await scene.must(scene.base, wallets.sam, ...scene.deposit(wallets.sam, 15_000_000n));
  await scene.rollup.settled();
  const { rollup, views, time } = scene;
  const server = await serveReaders(
    { rollup, views, clock: time },
    { alice: wallets.alice, sam: wallets.sam },
  );
  return {
    ...server,
    scene,
    wallets,
    async queue({ from, to, amount, terms }) {
      const payment = scene.queueTransfer(wallets[from], wallets[to].address, amount, {
        groupId: GROUP_ID,
        terms,
      });
      const { err, signature } = await rollup.submit(buildTransaction(rollup, [wallets[from]], [payment]));
      if (err !== null) throw new Error(JSON.stringify(err));
      return signature;
    },
    async pass(ms) {
      await time.pass(ms);
      await rollup.settled();
      server.timer.pass(rollup.slotMs);
    },
    async close() {
      await server.close();
      await scene.close();
    },
  };
}

/** A deposit of tokens that their owner alone may read. */
function privateDeposit(scene: LayoutBScene, wallet: Keypair, amount: bigint): Instruction[] {
  const eata = scene.eataOf(wallet.address);
  const accounts = { eata, permission: derivePermission(eata).address, payer: wallet.address };
  const [ata, eataInit, ...rest] = scene.deposit(wallet, amount) as [Instruction, Instruction];
  return [ata, eataInit, createPermission(accounts, 0), ...rest];
}
