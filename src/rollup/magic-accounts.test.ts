import { afterEach, expect, it } from 'vitest';
import { Keypair } from '../ledger/keypair.ts';
import { buildTransaction } from '../ledger/testing/test-ledger.ts';
import { EPHEMERAL_VAULT, MAGIC_CONTEXT, MAGIC_PROGRAM, NATIVE_LOADER } from '../programs/addresses.ts';
import { transferLamports } from '../programs/system.ts';
import type { Address } from '../solana/address.ts';
import { isOfBooks } from './books/item.ts';
import { CrashStores } from './testing/crash-stores.ts';
import { openScene, type RollupScene } from './testing/rollup-scene.ts';

let scene: RollupScene;
afterEach(() => scene.close());

const shown = (address: Parameters<RollupScene['rollup']['getAccount']>[0]) => {
  const account = scene.rollup.getAccount(address);
  return account && [account.owner, account.executable, account.data.length];
};

it('shows the Magic program as a runtime program, with its context and its vault', async () => {
  scene = await openScene(new CrashStores().open());
  expect(shown(MAGIC_PROGRAM)).toEqual([NATIVE_LOADER, true, 18]);
  expect(shown(MAGIC_CONTEXT)).toEqual([MAGIC_PROGRAM, false, 0]);
  expect(shown(EPHEMERAL_VAULT)).toEqual([MAGIC_PROGRAM, false, 0]);
  const owned = [...scene.rollup.programAccounts(MAGIC_PROGRAM)].map(([address]) => address);
  expect(owned.sort()).toEqual([MAGIC_CONTEXT, EPHEMERAL_VAULT].sort());
});

it('stores nothing in the Magic context when an undelegation is requested', async () => {
  scene = await openScene(new CrashStores().open());
  const alice = await scene.depositor(5n);
  const heard: Address[] = [];
  scene.rollup.subscribe(({ changes }) => heard.push(...changes.map(({ address }) => address)));
  await scene.submit(scene.rollup, alice, scene.undelegation(alice));
  expect(heard.filter(isOfBooks)).not.toEqual([]);
  expect(heard).not.toContain(MAGIC_CONTEXT);
});

it('rejects lamports for the Magic context', async () => {
  scene = await openScene(new CrashStores().open());
  const alice = await scene.depositor(5n);
  const bob = new Keypair(scene.random.bytes(32));
  const gift = transferLamports(alice.address, MAGIC_CONTEXT, 1n);
  const given = buildTransaction(scene.rollup, [bob, alice], [gift]);
  const options = { verifySignatures: true, replaceBlockhash: false };
  expect(scene.rollup.simulate(given, options).err).toBe('InvalidWritableAccount');
});
