import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InProcessClient } from '../ledger/ledger-chain.ts';
import { CrashStores } from './testing/crash-stores.ts';
import { accountsOf, openScene, type RollupScene } from './testing/rollup-scene.ts';

let scene: RollupScene;
beforeEach(async () => {
  scene = await openScene(new CrashStores().open());
});
afterEach(() => scene.close());

describe('the life of a payment', () => {
  it('goes from base through the rollup and back, exact to the last unit', async () => {
    const { base, rollup } = scene;
    const alice = await scene.wallet(1_000_000n);
    await scene.must(base, alice, ...scene.deposit(alice, 400_000n));
    const bob = await scene.depositor(0n);
    expect(scene.tokens(rollup, alice.address)).toBe(400_000n);
    expect(scene.eataTokens(rollup, alice.address)).toBe(400_000n);

    await scene.must(rollup, alice, scene.payment(alice, bob.address, 123_456n));
    expect(scene.tokens(rollup, alice.address)).toBe(276_544n);
    expect(scene.eataTokens(rollup, bob.address)).toBe(123_456n);
    expect(scene.eataTokens(base, bob.address)).toBe(0n);

    await scene.must(rollup, bob, scene.undelegation(bob));
    await rollup.settled();
    expect(rollup.projectionAt(accountsOf(bob.address).eata)).toBeNull();
    await scene.must(base, bob, scene.withdrawal(bob, 123_456n));
    await scene.must(rollup, alice, scene.undelegation(alice));
    await rollup.settled();
    await scene.must(base, alice, scene.withdrawal(alice, 276_544n));
    expect(scene.tokens(base, alice.address)).toBe(876_544n);
    expect(scene.tokens(base, bob.address)).toBe(123_456n);
    expect(scene.vaultTokens()).toBe(0n);
  });
});

describe('the blocks of a rollup', () => {
  it('begin at slot 0, as those of its base do (bug: both began at 511)', () => {
    for (const ledger of [scene.base, scene.rollup]) {
      expect(ledger.firstSlot()).toBe(0);
      expect(ledger.block(0)).toMatchObject({ slot: 0, parentSlot: 0, blockHeight: 0, transactions: [] });
      expect(ledger.slotsWithBlocks(0, 511, 1_000)).toHaveLength(512);
    }
  });
});

describe('the blockhashes of a rollup', () => {
  it('are its own: they are not valid on base, nor those of base on the rollup', async () => {
    const [base, rollup] = [scene.base, scene.rollup].map((ledger) => new InProcessClient(ledger));
    const hashes = [scene.base.head().blockhash, scene.rollup.head().blockhash];
    const known = async (node: InProcessClient | undefined) =>
      await Promise.all(hashes.map((blockhash) => node?.isBlockhashValid(blockhash)));
    expect(await known(base)).toEqual([true, false]);
    expect(await known(rollup)).toEqual([false, true]);
  });
});
