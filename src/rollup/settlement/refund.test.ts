import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { eataDataWith } from '../projection/projections.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../testing/layout-b-genesis.ts';
import { type LayoutBScene, openLayoutBScene } from '../testing/layout-b-scene.ts';

const PAID = 1_000_000n;
/** 10 of 10,000. */
const FEE = 1_000n;
/** States of a token account, at this offset of it. */
const STATE_AT = 108;
const INITIALIZED = 1;
const FROZEN = 2;
const IDLE = { pending: 0, stalled: 0, halted: [] };

describe.skipIf(LAYOUT_B_FOLDER === null)(`a refund that base rejects (${NO_LAYOUT_B})`, () => {
  let stores: CrashStores;
  let scene: LayoutBScene;
  let alice: Address;
  let bob: Address;
  /** Alice pays Bob, whose account is frozen, as is hers by then. */
  beforeEach(async () => {
    stores = new CrashStores();
    scene = await openLayoutBScene(stores.open());
    await scene.initializeMint();
    const [payer, payee] = [await scene.wallet(PAID + FEE + 1n), await scene.wallet(1n)];
    [alice, bob] = [payer.address, payee.address];
    await set(bob, FROZEN);
    const terms = { minDelayMs: 5_000n, maxDelayMs: 5_000n, split: 1, clientRefId: null };
    await scene.must(scene.base, payer, ...scene.privateTransfer(payer, bob, PAID, terms));
    await scene.rollup.settled();
    await set(alice, FROZEN);
    await pass(6_000);
  });
  afterEach(() => scene.close());

  const pass = async (ms: number): Promise<void> => {
    await scene.time.pass(ms);
    await scene.rollup.settled();
  };
  const set = async (owner: Address, state: number): Promise<void> => {
    const ata = scene.ataOf(owner);
    const account = scene.base.getAccount(ata) as Account;
    const data = Uint8Array.from(account.data);
    data[STATE_AT] = state;
    await scene.base.setAccounts([[ata, { ...account, data }]]);
  };
  /** Opens both ledgers again with another account on the rollup. */
  const reopenWith = async (entry: readonly [Address, Account]): Promise<void> => {
    const { time } = scene;
    await scene.close();
    stores.edit('rollup', [entry]);
    scene = await openLayoutBScene(stores.open(), { time });
    await scene.rollup.settled();
  };
  const paidBack = () => [
    scene.tokens(scene.base, alice),
    scene.tokens(scene.base, bob),
    scene.vaultTokens(),
  ];

  it('is made as soon as base accepts it, however long that takes', async () => {
    for (let minute = 0; minute < 10; minute++) await pass(60_000);
    expect(paidBack()).toEqual([1n, 1n, PAID + FEE]);
    await set(alice, INITIALIZED);
    await pass(61_000);
    expect(paidBack()).toEqual([PAID + 1n, 1n, FEE]);
    expect(scene.rollup.settlement).toEqual(IDLE);
  });

  it('is made once after a restart', async () => {
    const { time } = scene;
    await scene.close();
    scene = await openLayoutBScene(stores.open(), { time });
    await pass(61_000);
    expect(paidBack()).toEqual([1n, 1n, PAID + FEE]);
    await set(alice, INITIALIZED);
    await pass(61_000);
    expect(paidBack()).toEqual([PAID + 1n, 1n, FEE]);
  });

  it('is retried while the queue has less than it must pay', async () => {
    const queueAta = scene.ataOf(scene.queue);
    const held = scene.rollup.getAccount(queueAta) as Account;
    await reopenWith([queueAta, { ...held, data: eataDataWith(held.data, 0n) }]);
    await set(alice, INITIALIZED);
    for (let minute = 0; minute < 10; minute++) await pass(60_000);
    expect(paidBack()).toEqual([1n, 1n, PAID + FEE]);
    expect(scene.rollup.settlement).toEqual({ pending: 1, stalled: 1, halted: [] });
    await reopenWith([queueAta, held]);
    await pass(61_000);
    expect(paidBack()).toEqual([PAID + 1n, 1n, FEE]);
    expect(scene.rollup.settlement).toEqual(IDLE);
  });

  it('does not delay others', async () => {
    const [carol, dave] = [await scene.wallet(PAID + FEE), await scene.wallet()];
    await scene.must(scene.base, carol, ...scene.privateTransfer(carol, dave.address, PAID));
    await scene.rollup.settled();
    await pass(1_000);
    expect(scene.tokens(scene.base, dave.address)).toBe(PAID);
  });
});
