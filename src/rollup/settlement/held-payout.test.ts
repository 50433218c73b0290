import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HandTime } from '../../chain/testing/hand-time.ts';
import type { Keypair } from '../../ledger/keypair.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { type Logger, silentLogger } from '../../ports/logger.ts';
import { createAtaIdempotent } from '../../programs/associated-token.ts';
import { CALLBACK_SIGNER } from '../../programs/magic/magic-call.ts';
import { transferTokens } from '../../programs/token/instructions.ts';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { itemIn } from '../books/item.ts';
import { INTENT } from '../books/items.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { LAYOUT_B_FOLDER } from '../testing/layout-b-genesis.ts';
import { type LayoutBScene, openLayoutBScene } from '../testing/layout-b-scene.ts';
import { payoutsOf } from './endings.ts';

const PAID = 1_000_000n;
const FEE = 1_000n;
const OTHERS = 500n;

/** Whether this is a payout in the books whose base transaction is signed. */
function isSentPayout(account: Account): boolean {
  const intent = itemIn(INTENT, account);
  return intent !== null && intent.sent !== null && payoutsOf(intent).length > 0;
}

describe.skipIf(LAYOUT_B_FOLDER === null)('a payout that was signed and never reached base', () => {
  const time = new HandTime();
  let stores: CrashStores;
  let scene: LayoutBScene;
  let errors: string[];
  let hasDroppedHistory: boolean;
  let openings = 0;
  let alice: Keypair;
  let bob: Keypair;
  let carol: Keypair;
  const logger: Logger = { ...silentLogger, error: (_, message) => errors.push(message) };

  const open = (): Promise<LayoutBScene> =>
    openLayoutBScene(stores.open(), {
      time,
      // Each process draws different random numbers.
      random: new SeededRandom(`held payout ${openings++}`),
      logger,
      hasDroppedHistory: () => hasDroppedHistory,
      shuttlesBefore: 10,
    });
  const pass = async (): Promise<void> => {
    for (let round = 0; round < 8; round++) {
      await scene.rollup.settled();
      await time.pass(10_000);
    }
    await scene.rollup.settled();
  };
  const restart = async (): Promise<void> => {
    await scene.close();
    scene = await open();
    await pass();
  };
  const onBase = ({ address }: Keypair): bigint => scene.tokens(scene.base, address) ?? 0n;
  const callbacks = (): number =>
    scene.rollup.signaturesFor({ address: CALLBACK_SIGNER as Address, limit: 10 }).length;

  beforeEach(async () => {
    errors = [];
    hasDroppedHistory = false;
    stores = new CrashStores();
    scene = await open();
    await scene.initializeMint();
    alice = await scene.wallet(PAID + FEE);
    bob = await scene.wallet();
    carol = await scene.depositor(OTHERS);
  });
  afterEach(() => scene.close());

  /** Alice pays Bob, and both ledgers crash when the payout is in the books but not sent. */
  const crashBeforeSubmission = async (): Promise<void> => {
    await scene.must(scene.base, alice, ...scene.privateTransfer(alice, bob.address, PAID));
    await pass();
    expect(onBase(bob)).toBe(PAID);
    await scene.close();
    const signed = stores.written.findIndex(
      ({ of, commit }) =>
        of === 'rollup' && (commit.accounts ?? []).some(([, account]) => isSentPayout(account)),
    );
    expect(signed).toBeGreaterThan(0);
    stores = new CrashStores(stores.written.slice(0, signed + 1));
  };

  it('is sent again after a restart as long as base’s history shows that it did not land', async () => {
    await crashBeforeSubmission();
    scene = await open();
    await pass();
    expect(onBase(bob)).toBe(PAID);
    expect([scene.rollup.heldIntents, callbacks()]).toEqual([[], 1]);
    expect(errors).toEqual([]);
  });

  it('stays held across restarts after base has dropped that history, and still counts as a claim', async () => {
    await crashBeforeSubmission();
    hasDroppedHistory = true;
    scene = await open();
    await pass();
    expect(scene.rollup.heldIntents).toHaveLength(1);
    expect(errors).toEqual([expect.stringContaining('PAYMENT HELD')]);

    // Nothing proves that it was not paid, so there is no payment, refund or notification.
    const isStillHeld = (): void => {
      expect(scene.rollup.heldIntents).toHaveLength(1);
      expect([onBase(alice), callbacks()]).toEqual([0n, 0]);
      expect(scene.rollup.settlement).toEqual({ pending: 1, stalled: 0, halted: [] });
    };
    isStillHeld();
    expect(onBase(bob)).toBe(0n);
    // Its amount is in the vault and claimed: others get their own tokens, not these.
    await scene.must(scene.rollup, carol, scene.undelegation(carol));
    await pass();
    await scene.must(scene.base, carol, scene.directWithdrawal(carol, OTHERS));
    expect(onBase(carol)).toBe(OTHERS);
    expect([scene.vaultTokens(), scene.tokens(scene.rollup, scene.queue)]).toEqual([PAID + FEE, PAID + FEE]);

    // The documented way out: an ordinary transfer on base.
    const { mint, tokenProgram } = scene;
    const sponsor = await scene.wallet(PAID);
    const to = { mint, tokenProgram, owner: bob.address, ata: scene.ataOf(bob.address) };
    await scene.must(
      scene.base,
      sponsor,
      createAtaIdempotent({ payer: sponsor.address, ...to }),
      transferTokens(
        tokenProgram,
        { source: scene.ataOf(sponsor.address), destination: to.ata, authority: sponsor.address },
        PAID,
      ),
    );
    await pass();
    isStillHeld();
    for (let restarts = 0; restarts < 2; restarts++) {
      await restart();
      isStillHeld();
      expect(onBase(bob)).toBe(PAID);
      expect(scene.vaultTokens()).toBe(PAID + FEE);
    }
    // Each process has logged it once.
    expect(errors).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('PAYMENT HELD')));
  });

  it('does not delay the later payments of its queue', async () => {
    await crashBeforeSubmission();
    hasDroppedHistory = true;
    scene = await open();
    await pass();
    const dave = await scene.wallet(PAID + FEE);
    await scene.must(scene.base, dave, ...scene.privateTransfer(dave, bob.address, PAID));
    await pass();
    expect(onBase(bob)).toBe(PAID);
    expect(scene.rollup.heldIntents).toHaveLength(1);
    await restart();
    expect([onBase(bob), scene.vaultTokens()]).toEqual([PAID, PAID + FEE + FEE + OTHERS]);
  });

  it('is released by a reset of base only', async () => {
    await crashBeforeSubmission();
    hasDroppedHistory = true;
    scene = await open();
    await pass();
    expect(scene.rollup.heldIntents).toHaveLength(1);
    await scene.base.resetLedger();
    await pass();
    expect(scene.rollup.heldIntents).toEqual([]);
    expect(scene.rollup.settlement).toEqual({ pending: 0, stalled: 0, halted: [] });
  });
});
