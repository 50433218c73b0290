import { beforeEach, describe, expect, it } from 'vitest';
import { createProgramVm, type ProgramVm } from '../../../test/program-vm.ts';
import { delegationOf } from '../../../test/vectors/derived-accounts.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { LOCALNET_VALIDATOR, PERMISSION_PROGRAM } from '../addresses.ts';
import { deriveEphemeralBalance, deriveFeesVault } from '../delegation/pdas.ts';
import { delegatedValidator } from '../delegation/state.ts';
import { topUpEscrow } from '../delegation/testing/instructions.ts';
import { decodePermission, derivePermission, type Member, MEMBER_FLAG } from './state.ts';
import * as permission from './testing/instructions.ts';

const key = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const [payer, account, authority, reader] = [key(21), key(22), key(23), key(24)];
const gate = derivePermission(account).address;
const members: readonly Member[] = [
  { flags: MEMBER_FLAG.authority, address: authority },
  { flags: MEMBER_FLAG.txLogs | MEMBER_FLAG.accountSignatures, address: reader },
];

const partiesWith = (signing: 'authority' | 'account', who = authority): permission.PermissionParties => ({
  authority: { address: who, signs: signing === 'authority' },
  account: { address: account, signs: signing === 'account' },
  permission: gate,
});

describe('the permission program', () => {
  let vm: ProgramVm;
  const read = () => decodePermission((vm.account(gate) as Account).data);

  beforeEach(() => {
    vm = createProgramVm([deriveFeesVault().address]);
    vm.run(payer, permission.createPermission({ account, permission: gate, payer }, members));
  });

  it('creates a permission with its members', () => {
    expect(vm.account(gate)?.owner).toBe(PERMISSION_PROGRAM);
    expect(read()).toMatchObject({ account, bump: derivePermission(account).bump });
    expect(read()?.members).toEqual(expect.arrayContaining([...members]));
  });

  it.each(['authority', 'account'] as const)('lets the %s replace its members', (signing) => {
    const next = [{ flags: MEMBER_FLAG.authority, address: reader }];
    vm.run(payer, permission.updatePermission(partiesWith(signing), next));
    expect(read()?.members).toEqual(expect.arrayContaining(next));
    expect(read()?.members?.some(({ address }) => address === authority)).toBe(false);
    vm.run(payer, permission.updatePermission(partiesWith('account'), null));
    expect(read()?.members).toBeNull();
  });

  it('rejects a change by a member without that right', () => {
    expect(() =>
      vm.run(payer, permission.updatePermission(partiesWith('authority', reader), null)),
    ).toThrow();
    expect(read()?.members).toEqual(expect.arrayContaining([...members]));
  });

  it('closes a permission and returns its rent', () => {
    const before = vm.account(payer)?.lamports as bigint;
    const rent = vm.account(gate)?.lamports as bigint;
    vm.run(payer, permission.closePermission({ ...partiesWith('authority'), payer }));
    expect(vm.account(gate)).toBeNull();
    // Two signatures at 5,000 lamports each.
    expect(vm.account(payer)?.lamports).toBe(before + rent - 10_000n);
  });

  it('delegates a permission to a validator', () => {
    const delegation = delegationOf(gate, PERMISSION_PROGRAM);
    vm.run(
      payer,
      permission.delegatePermission({ ...partiesWith('authority'), payer, delegation }, LOCALNET_VALIDATOR),
    );
    expect(delegatedValidator(vm.account(delegation.record), PERMISSION_PROGRAM)).toBe(LOCALNET_VALIDATOR);
    expect(read()?.members).toEqual(expect.arrayContaining([...members]));
  });
});

describe('topUpEscrow', () => {
  it('puts lamports into the escrow of its index', () => {
    const vm = createProgramVm([]);
    const escrow = deriveEphemeralBalance(authority, 3).address;
    vm.run(payer, topUpEscrow({ payer, authority, escrow }, 5_000_000n, 3));
    expect(vm.account(escrow)?.lamports).toBeGreaterThanOrEqual(5_000_000n);
    expect(() => vm.run(payer, topUpEscrow({ payer, authority, escrow }, 5_000_000n, 4))).toThrow();
  });
});
