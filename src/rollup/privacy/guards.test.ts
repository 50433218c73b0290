import { afterEach, describe, expect, it } from 'vitest';
import { DELEGATION_PROGRAM, TOKEN_2022_PROGRAM } from '../../programs/addresses.ts';
import { deriveAta } from '../../programs/associated-token.ts';
import { MEMBER_FLAG, derivePermission } from '../../programs/permission/state.ts';
import { addressOf } from '../../solana/address.ts';
import { Guards, type Right } from './guards.ts';
import { eataAccount, permissionAccount } from './testing/permission-account.ts';
import { MINT, openPrivateRollup, type PrivateRollup } from './testing/private-rollup.ts';

const ALL: readonly Right[] = ['balances', 'message', 'logs', 'signatures'];

const open: PrivateRollup[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

async function begin(): Promise<PrivateRollup> {
  const scene = await openPrivateRollup();
  open.push(scene);
  return scene;
}

describe('Guards', () => {
  it('govern an eATA and the ATA it is projected to, under either token program', async () => {
    const { guards, alice, bob } = await begin();
    const guard = guards.get(alice.eata);
    expect(guard?.readers).toEqual([alice.address]);
    expect(guards.get(alice.ata)).toBe(guard);
    expect(guards.get(deriveAta(alice.address, MINT, TOKEN_2022_PROGRAM).address)).toBe(guard);
    for (const address of [bob.ata, bob.eata, alice.address, alice.permission]) {
      expect(guards.get(address)).toBeUndefined();
    }
  });

  it.each([
    ['authority', ALL],
    ['txBalances', ['balances']],
    ['txMessage', ['message']],
    ['txLogs', ['logs']],
    ['accountSignatures', ['signatures']],
  ] as const)('let a member with the flag %s have %j', async (flag, rights) => {
    const { guards, permit, alice, sam } = await begin();
    await permit(alice, [{ flags: MEMBER_FLAG[flag], address: sam.address }]);
    const guard = guards.get(alice.ata);
    expect(ALL.filter((right) => guard?.allows(sam.address, right))).toEqual(rights);
    expect(guard?.readers).toEqual([alice.address, sam.address]);
  });

  it('allow the owner of the tokens everything, and a member without flags and strangers nothing', async () => {
    const { guards, permit, alice, sam } = await begin();
    await permit(alice, [{ flags: 0, address: sam.address }]);
    const guard = guards.get(alice.ata);
    expect(ALL.filter((right) => guard?.allows(alice.address, right))).toEqual(ALL);
    expect(ALL.filter((right) => guard?.allows(sam.address, right))).toEqual([]);
    expect(ALL.filter((right) => guard?.allows(null, right))).toEqual([]);
    expect(guard?.readers).toEqual([alice.address]);
  });

  it('end when the permission is made public or deleted', async () => {
    const { guards, permit, base, alice } = await begin();
    await permit(alice, null);
    expect(guards.get(alice.ata)).toBeUndefined();
    expect(guards.get(alice.eata)).toBeUndefined();
    await permit(alice, []);
    expect(guards.get(alice.ata)).toBeDefined();
    await base.setAccounts([[alice.permission, { ...permissionAccount(alice.eata, []), lamports: 0n }]]);
    expect(guards.get(alice.ata)).toBeUndefined();
  });

  it('stay while the permission itself is delegated', async () => {
    const { guards, base, alice } = await begin();
    const members = [{ flags: MEMBER_FLAG.authority, address: alice.address }];
    await base.setAccounts([[alice.permission, permissionAccount(alice.eata, members, DELEGATION_PROGRAM)]]);
    expect(guards.get(alice.ata)?.readers).toEqual([alice.address]);
  });

  it('are restored on a base ledger that already has permissions', async () => {
    const { base, alice, bob } = await begin();
    const guards = new Guards(base);
    expect([guards.get(alice.ata)?.readers, guards.get(bob.ata)]).toEqual([[alice.address], undefined]);
    guards.close();
  });

  it('ignore an account that looks like a permission at another address', async () => {
    const { guards, base, bob } = await begin();
    await base.setAccounts([
      [addressOf(new Uint8Array(32).fill(9)), permissionAccount(bob.eata, [], DELEGATION_PROGRAM)],
    ]);
    expect(guards.get(bob.ata)).toBeUndefined();
  });

  it('include the ATA once the eATA exists, if the permission came first', async () => {
    const { guards, base, bob } = await begin();
    const eata = eataAccount(bob.address, MINT, 1n, DELEGATION_PROGRAM);
    await base.setAccounts([[bob.eata, { ...eata, lamports: 0n }]]);
    await base.setAccounts([[derivePermission(bob.eata).address, permissionAccount(bob.eata, [])]]);
    expect([guards.get(bob.eata) !== undefined, guards.get(bob.ata)]).toEqual([true, undefined]);
    await base.setAccounts([[bob.eata, eata]]);
    expect(guards.get(bob.ata)?.allows(bob.address, 'balances')).toBe(true);
  });

  it('no longer follow base once closed', async () => {
    const { guards, permit, bob } = await begin();
    guards.close();
    await permit(bob, []);
    expect(guards.get(bob.ata)).toBeUndefined();
  });
});
