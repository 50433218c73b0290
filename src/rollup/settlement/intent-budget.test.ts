import { afterEach, describe, expect, it } from 'vitest';
import { mintAccount } from '../../ledger/genesis/genesis.ts';
import type { TransactionRecord } from '../../ledger/ledger.ts';
import { readComputeBudget } from '../../ledger/run/fee.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/addresses.ts';
import {
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
} from '../../programs/delegation/pdas.ts';
import { sponsorLamportsTransfer } from '../../programs/ephemeral-token/layout-b/testing/instructions.ts';
import { deriveLamportsPda, deriveRentPda } from '../../programs/ephemeral-token/pdas.ts';
import { addressOf } from '../../solana/address.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { LAYOUT_B_FOLDER } from '../testing/layout-b-genesis.ts';
import { type LayoutBScene, openLayoutBScene } from '../testing/layout-b-scene.ts';

const PAID = 1_000_000n;

describe.skipIf(LAYOUT_B_FOLDER === null)('the compute budget of an intent', () => {
  let scene: LayoutBScene;
  afterEach(() => scene.close());

  /** A carrier of lamports, which is returned with an action of its own. */
  const sponsorQueue = async (): Promise<void> => {
    const wallet = await scene.wallet();
    const [payer, salt] = [wallet.address, new Uint8Array(32).fill(5)];
    const lamportsPda = deriveLamportsPda(payer, scene.queue, salt).address;
    const accounts = {
      payer,
      rentPda: deriveRentPda().address,
      lamportsPda,
      delegation: {
        buffer: deriveDelegateBuffer(lamportsPda, EPHEMERAL_TOKEN_PROGRAM).address,
        record: deriveDelegationRecord(lamportsPda).address,
        metadata: deriveDelegationMetadata(lamportsPda).address,
      },
      destination: scene.queue,
      destinationRecord: deriveDelegationRecord(scene.queue).address,
    };
    await scene.must(scene.base, wallet, sponsorLamportsTransfer(accounts, 20_000_000n, salt));
  };

  /** Used and allowed compute units of intents, newest first. */
  const budgets = (): { readonly used: number; readonly limit: number }[] => {
    const { base, validator } = scene;
    const records: readonly TransactionRecord[] = base.signaturesFor({
      address: validator.address,
      limit: 100,
    });
    return records.flatMap(({ err, wire, computeUnits: used }) => {
      const transaction = decodeTransaction(wire);
      if (!transaction.staticKeys.includes(COMPUTE_BUDGET_PROGRAM)) return [];
      expect(err).toBeNull();
      const budget = readComputeBudget(transaction);
      return 'err' in budget ? [] : [{ used, limit: budget.unitLimit }];
    });
  };

  it.each([
    ['the classic token program', TOKEN_PROGRAM],
    ['Token-2022', TOKEN_2022_PROGRAM],
  ])(
    'is the sum of the budgets of its tasks, and covers everything that payments with %s need',
    async (_, tokenProgram) => {
      const mint = addressOf(new Uint8Array(32).fill(99));
      scene = await openLayoutBScene(new CrashStores().open(), { mint, tokenProgram });
      await scene.base.setAccounts([[mint, { ...mintAccount(scene.base.faucet, 6), owner: tokenProgram }]]);
      await scene.initializeMint();
      // A shuttle is closed, a payment made that needs an ATA, a shuttle closed that pays, a carrier closed.
      const alice = await scene.depositor(3n * PAID);
      const bob = await scene.wallet();
      await scene.must(scene.rollup, alice, scene.queueTransfer(alice, bob.address, PAID));
      await scene.time.pass(1_000);
      await scene.rollup.settled();
      await scene.must(scene.base, alice, ...scene.withdrawal(alice, PAID));
      await scene.rollup.settled();
      await sponsorQueue();
      await scene.rollup.settled();
      const found = budgets();
      // 3 x 70,000 per returned account, the actions' own limits, and 10,000.
      expect(found.map(({ limit }) => limit)).toEqual([270_000, 320_000, 150_000, 320_000]);
      for (const { used, limit } of found) expect(used).toBeLessThan(limit / 2);
    },
  );
});
