import { expect, it } from 'vitest';
import { GONE } from '../../ledger/run/account-states.ts';
import { silentLogger } from '../../ports/logger.ts';
import { TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { deriveValidatorFeesVault } from '../../programs/delegation/pdas.ts';
import { closeTokenAccount } from '../../programs/token/instructions.ts';
import { CrashStores } from '../testing/crash-stores.ts';
import { accountsOf, openScene, type SceneOptions } from '../testing/rollup-scene.ts';

const WOULD_EXCEED = 'WouldExceedAccountDataTotalLimit';

/**
 * A rollup with two who deposited and one who did not, opened anew with these ceilings; and what it logs as
 * an error.
 */
async function openAnew(accountsBytesMax: NonNullable<SceneOptions['accountsBytesMax']>) {
  const stores = new CrashStores();
  const first = await openScene(stores.open());
  const alice = await first.depositor(100n);
  const bob = await first.depositor(50n);
  const carol = await first.wallet(10n);
  await first.rollup.settled();
  const { random, clock } = first;
  await first.close();
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (_: object, message: string) => void errors.push(message) };
  const scene = await openScene(stores.open(), { random, clock, logger, accountsBytesMax });
  return { scene, alice, bob, carol, errors };
}

it('settles on a base ledger without room, so nothing waits unnoticed', async () => {
  const { scene, alice, bob, carol, errors } = await openAnew({ base: 1, rollup: 1 });
  const bytes = scene.base.accountsBytes();
  expect((await scene.submit(scene.base, carol, ...scene.deposit(carol, 10n))).err).toBe(WOULD_EXCEED);
  await scene.must(scene.rollup, alice, scene.payment(alice, bob.address, 30n));
  await scene.must(scene.rollup, alice, scene.undelegation(alice));
  await scene.must(scene.rollup, bob, scene.undelegation(bob));
  await scene.rollup.settled();
  expect(scene.rollup.settlement).toEqual({ pending: 0, stalled: 0, halted: [] });
  expect(scene.eataTokens(scene.base, alice.address)).toBe(70n);
  expect(scene.eataTokens(scene.base, bob.address)).toBe(80n);
  expect(scene.base.accountsBytes()).toBeLessThan(bytes);
  await scene.must(scene.base, alice, scene.withdrawal(alice, 70n));
  expect(errors).toEqual([]);
  await scene.close();
});

it('accepts delegations and undelegations even if the rollup has no room', async () => {
  const { scene, alice, carol, errors } = await openAnew({ rollup: 1 });
  const bytes = scene.rollup.figures.accountsBytes();
  const { ownerAta: account } = accountsOf(carol.address);
  const close = { account, destination: carol.address, authority: carol.address };
  const closing = closeTokenAccount(TOKEN_PROGRAM, close);
  await scene.must(scene.base, carol, ...scene.deposit(carol, 10n), closing);
  await scene.rollup.settled();
  expect(scene.tokens(scene.rollup, carol.address)).toBe(10n);
  expect(scene.rollup.figures.accountsBytes()).toBeGreaterThan(bytes);
  await scene.must(scene.rollup, alice, scene.payment(alice, carol.address, 30n));
  await scene.must(scene.rollup, carol, scene.undelegation(carol));
  await scene.rollup.settled();
  expect(scene.eataTokens(scene.base, carol.address)).toBe(40n);
  expect(scene.rollup.figures.accountsBytes()).toBe(bytes);
  expect(errors).toEqual([]);
  await scene.close();
});

it('opens on a base ledger without room that lacks the validator’s accounts', async () => {
  const { scene, alice, errors } = await openAnew({ base: 1, rollup: 1 });
  const vault = deriveValidatorFeesVault(scene.validator.address).address;
  await scene.base.setAccounts([[vault, GONE]]);
  await scene.must(scene.rollup, alice, scene.undelegation(alice));
  await scene.rollup.settled();
  expect(scene.base.getAccount(vault)).not.toBeNull();
  expect(scene.eataTokens(scene.base, alice.address)).toBe(100n);
  expect(errors).toEqual([]);
  await scene.close();
});
