import { deriveDelegationAccounts } from '../../../src/payments/accounts/deposit-accounts.ts';
import {
  DELEGATION_PROGRAM,
  MAGIC_CONTEXT,
  MAGIC_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../../src/programs/addresses.ts';
import { deriveEphemeralBalance } from '../../../src/programs/delegation/pdas.ts';
import { delegate, topUpEscrow } from '../../../src/programs/delegation/testing/instructions.ts';
import { concat, u32, u64, u8 } from '../../../src/programs/instruction-data.ts';
import {
  scheduleCommit,
  scheduleCommitAndUndelegate,
} from '../../../src/programs/magic/testing/instructions.ts';
import { derivePermission, MEMBER_FLAG } from '../../../src/programs/permission/state.ts';
import * as permissions from '../../../src/programs/permission/testing/instructions.ts';
import type { Address } from '../../../src/solana/address.ts';
import { readonly, writable, writableSigner } from '../../../src/solana/instruction.ts';
import { ANY, DANGER, NOT_CLEAR } from '../row.ts';
import { ELSEWHERE, usdcOf } from './eata-program.ts';
import { extra, type Extra, instruction } from './extra.ts';

const walletHandedOver = (me: Address, ownerProgram: Address, validator: Address | null) =>
  delegate(
    { payer: me, account: me, ownerProgram, delegation: deriveDelegationAccounts(me, ownerProgram) },
    [],
    validator,
  );

const bareDelegation = (tag: number): Extra =>
  extra(`delegation program: tag ${tag}, which is not known`, NOT_CLEAR, ({ me, thief }) =>
    instruction(
      DELEGATION_PROGRAM,
      [writableSigner(me), writable(usdcOf(me).eata), writable(thief), readonly(SYSTEM_PROGRAM)],
      u64(BigInt(tag)),
    ),
  );

/** The delegation program. */
export const DELEGATION_EXTRAS: readonly Extra[] = [
  extra('delegation program: the wallet handed to another validator', DANGER, ({ me }) =>
    walletHandedOver(me, SYSTEM_PROGRAM, ELSEWHERE),
  ),
  extra(
    'delegation program: the wallet handed to the validator of the cluster',
    DANGER,
    ({ me, validator }) => walletHandedOver(me, SYSTEM_PROGRAM, validator),
  ),
  extra('delegation program: the wallet handed to no validator by name', DANGER, ({ me }) =>
    walletHandedOver(me, SYSTEM_PROGRAM, null),
  ),
  extra('delegation program: an escrow of the thief filled', ANY, ({ me, thief }) => {
    const escrow = deriveEphemeralBalance(thief, 255).address;
    return topUpEscrow({ payer: me, authority: thief, escrow }, 1_000_000n, 255);
  }),
  extra(
    'delegation program: an escrow filled that is not the one of its authority',
    DANGER,
    ({ me, thief }) => {
      const escrow = deriveEphemeralBalance(thief, 255).address;
      return topUpEscrow({ payer: me, authority: me, escrow }, 1_000_000n, 255);
    },
    { codes: ['WRONG_ACCOUNT'] },
  ),
  ...[4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 99].map(bareDelegation),
  extra('delegation program: a discriminator of one byte', NOT_CLEAR, ({ me }) =>
    instruction(DELEGATION_PROGRAM, [writableSigner(me), writable(usdcOf(me).eata)], u8(0)),
  ),
];

/** The permission of a wallet itself. The wallet signs for it. */
const ofWallet = (me: Address) => ({
  authority: { address: me, signs: true },
  account: { address: me, signs: true },
  permission: derivePermission(me).address,
});

/** The permission of a wallet's eATA, with the wallet as its authority. */
const ofEata = (me: Address) => {
  const { eata, permission } = usdcOf(me);
  return { authority: { address: me, signs: true }, account: { address: eata, signs: false }, permission };
};

const readers = (...members: Address[]) =>
  members.map((address) => ({ flags: MEMBER_FLAG.txLogs | MEMBER_FLAG.txBalances, address }));

/** The permission program. */
export const PERMISSION_EXTRAS: readonly Extra[] = [
  extra('permission program: everybody may read the wallet', DANGER, ({ me }) =>
    permissions.createPermission({ ...ofWallet(me), account: me, payer: me }, null),
  ),
  extra('permission program: the thief may read the wallet', DANGER, ({ me, thief }) =>
    permissions.createPermission({ ...ofWallet(me), account: me, payer: me }, readers(thief)),
  ),
  extra('permission program: the thief is the authority over the wallet', DANGER, ({ me, thief }) =>
    permissions.createPermission({ ...ofWallet(me), account: me, payer: me }, [
      { flags: MEMBER_FLAG.authority, address: thief },
    ]),
  ),
  extra('permission program: she and the thief may read the wallet', DANGER, ({ me, thief }) =>
    permissions.createPermission({ ...ofWallet(me), account: me, payer: me }, readers(me, thief)),
  ),
  extra('permission program: the thief may read the eATA', DANGER, ({ me, thief }) =>
    permissions.updatePermission(ofEata(me), readers(me, thief)),
  ),
  extra('permission program: everybody may read the eATA', DANGER, ({ me }) =>
    permissions.updatePermission(ofEata(me), null),
  ),
  extra('permission program: the permission of the eATA is closed', DANGER, ({ me }) =>
    permissions.closePermission({ ...ofEata(me), payer: me }),
  ),
  extra('permission program: the permission is closed to the thief', DANGER, ({ me, thief }) =>
    permissions.closePermission({ ...ofEata(me), payer: thief }),
  ),
  extra('permission program: the permission is handed to another validator', DANGER, ({ me }) => {
    const parties = ofEata(me);
    const delegation = deriveDelegationAccounts(parties.permission, PERMISSION_PROGRAM);
    return permissions.delegatePermission({ ...parties, payer: me, delegation }, ELSEWHERE);
  }),
  extra('permission program: the permission is settled', NOT_CLEAR, ({ me }) =>
    permissions.commitPermission(ofEata(me)),
  ),
  extra('permission program: the permission is settled and given back', NOT_CLEAR, ({ me }) =>
    permissions.commitAndUndelegatePermission(ofEata(me)),
  ),
  extra('permission program: more members than there are bytes', DANGER, ({ me }) => {
    const { eata, permission } = usdcOf(me);
    const accounts = [readonly(me), readonly(eata), writable(permission)];
    return instruction(PERMISSION_PROGRAM, accounts, u64(1n), u8(1), u32(0xffff_ffff));
  }),
  extra('permission program: an instruction that does not exist', DANGER, ({ me }) =>
    instruction(PERMISSION_PROGRAM, [writableSigner(me), writable(usdcOf(me).permission)], u64(9n)),
  ),
];

/** The Magic program, in transactions that are not for its rollup. */
export const MAGIC_EXTRAS: readonly Extra[] = [
  extra('Magic program: a commit', NOT_CLEAR, ({ me }) => scheduleCommit(me, [usdcOf(me).eata])),
  extra('Magic program: a commit that gives back', NOT_CLEAR, ({ me }) =>
    scheduleCommitAndUndelegate(me, [usdcOf(me).eata], 'writable'),
  ),
  extra('Magic program: a commit of the eATA of the thief', NOT_CLEAR, ({ me, thief }) =>
    scheduleCommit(me, [usdcOf(thief).eata]),
  ),
  ...[0, 3, 4, 5, 6, 11, 99].map((tag) =>
    extra(`Magic program: tag ${tag}, which is not known`, NOT_CLEAR, ({ me }) =>
      instruction(MAGIC_PROGRAM, [writableSigner(me), writable(MAGIC_CONTEXT)], concat(u32(tag), u8(0))),
    ),
  ),
];
