import { decodeMembers, type Member, MEMBER_FLAG } from '../../../programs/permission/state.ts';
import { PERMISSION, PERMISSION_TABLE } from '../../../programs/permission/table.ts';
import { addressOf } from '../../../solana/address.ts';
import { formsOf, type KnownProgram, type Meaning } from '../call.ts';
import { danger, type Finding } from '../finding.ts';
import type { Reading } from '../reading.ts';
import { notForWallets, validatorFindings } from './common-findings.ts';
import { delegationEffects, permissionEffects, toValidator } from './delegation.ts';

/** The rights of a member in words. */
const FLAG_WORDS: readonly (readonly [flag: number, words: string])[] = [
  [MEMBER_FLAG.authority, 'change the permission'],
  [MEMBER_FLAG.txLogs, 'read logs'],
  [MEMBER_FLAG.txBalances, 'read balances'],
  [MEMBER_FLAG.txMessage, 'read messages'],
  [MEMBER_FLAG.accountSignatures, 'read signatures'],
];

const membersOf = (r: Reading): readonly Member[] | null => decodeMembers(r.bytes('members')) ?? null;

function describeMember({ address, flags }: Member): string {
  const rights = FLAG_WORDS.filter(([flag]) => (flags & flag) !== 0).map(([, words]) => words);
  return `${address} (flags ${flags}: ${rights.length === 0 ? 'nothing that is known' : rights.join(', ')})`;
}

/** The readers of a permission, in words. */
function membersText(r: Reading): string {
  const members = membersOf(r);
  if (members === null) return 'everyone';
  return members.length === 0 ? 'only its owner' : members.map(describeMember).join(' and ');
}

/** Bytes of a member: flags u8 and address. */
const MEMBER_BYTES = 33;

/**
 * The same of an account that is on the rollup only: whether it is private, and its members without a count.
 */
function readersText(r: Reading): string {
  if (r.number('isPrivate') === 0) return 'everyone';
  const bytes = r.bytes('readers');
  const members = Array.from({ length: Math.floor(bytes.length / MEMBER_BYTES) }, (_, index) => {
    const at = index * MEMBER_BYTES;
    return { flags: bytes[at] as number, address: addressOf(bytes.subarray(at + 1, at + MEMBER_BYTES)) };
  });
  return members.length === 0 ? 'no one' : members.map(describeMember).join(' and ');
}

/**
 * Readers other than the owner. A member without flags has no rights: the program itself adds the owner
 * program that way.
 */
function memberFindings(r: Reading): Finding[] {
  const members = membersOf(r);
  const own = new Set([r.account('account'), r.ownerOf('account')]);
  const others = members?.filter(({ address, flags }) => flags !== 0 && !own.has(address));
  if (others?.length === 0) return [];
  const readers = others === undefined ? 'Everyone' : others.map(describeMember).join(' and ');
  const message = `${readers} could read ${r.name('account')} on the rollup.`;
  return [danger('OTHER_READERS', message)];
}

const settling = (ending: string): Meaning => ({
  say: (r) => `The permission ${r.name('permission')} of ${r.name('account')} is settled${ending}`,
});

export const permissionProgram: KnownProgram = {
  ...PERMISSION,
  forms: formsOf(PERMISSION_TABLE, {
    createPermission: {
      say: (r) => `Reading ${r.name('account')} on the rollup is open to ${membersText(r)}`,
      effects: (r) => permissionEffects(r, 'permission'),
      findings: memberFindings,
    },
    updatePermission: {
      say: (r) => `Reading ${r.name('account')} on the rollup is from now on open to ${membersText(r)}`,
      danger: () => 'It changes who can read a private account.',
      findings: memberFindings,
    },
    closePermission: {
      say: (r) => `The permission of ${r.name('account')} is closed; its lamports go to ${r.name('payer')}`,
      danger: () => 'It removes the protection of a private account.',
    },
    delegatePermission: {
      say: (r) =>
        `The permission ${r.name('permission')} of ${r.name('account')} is delegated to ${toValidator(r.account('validator'))}`,
      effects: (r) => delegationEffects(r, 'permission', [11, 32]),
      findings: (r) => validatorFindings(r, r.account('validator')),
    },
    commitPermission: settling(''),
    commitAndUndelegatePermission: settling(' and returned'),
    createEphemeralPermission: {
      say: (r) => `Reading ${r.name('account')}, which is on the rollup only, is open to ${readersText(r)}`,
      findings: notForWallets,
    },
    closeEphemeralPermission: {
      say: (r) =>
        `The permission of ${r.name('account')}, which is on the rollup only, is closed; ${r.name('payer')} gets its rent`,
      danger: () => 'It removes the protection of a private account.',
    },
  }),
};
