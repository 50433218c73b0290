import { decodeMembers, MEMBER_FLAG, type Member } from '../../../programs/permission/state.ts';
import { addressOf } from '../../../solana/address.ts';
import type { FormFinding } from '../finding.ts';
import type { Reading } from '../reading.ts';

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

/** Who a permission will let read. */
export function membersText(r: Reading): string {
  const members = membersOf(r);
  if (members === null) return 'everybody';
  return members.length === 0 ? 'nobody but its owner' : members.map(describeMember).join(' and ');
}

/** Bytes of a member: flags u8 and address. */
const MEMBER_BYTES = 33;

/**
 * The same of an account that is on the rollup only: whether it is private, and its members without a count.
 */
export function readersText(r: Reading): string {
  if (r.number('isPrivate') === 0) return 'everybody';
  const bytes = r.bytes('readers');
  const members = Array.from({ length: Math.floor(bytes.length / MEMBER_BYTES) }, (_, index) => {
    const at = index * MEMBER_BYTES;
    return { flags: bytes[at] as number, address: addressOf(bytes.subarray(at + 1, at + MEMBER_BYTES)) };
  });
  return members.length === 0 ? 'nobody' : members.map(describeMember).join(' and ');
}

/**
 * Readers besides the owner. A member without flags has no rights: the program itself adds the owner program
 * like that.
 */
export function memberFindings(r: Reading): FormFinding[] {
  const members = membersOf(r);
  const own = new Set([r.account('account'), r.ownerOf('account')]);
  const others = members?.filter(({ address, flags }) => flags !== 0 && !own.has(address));
  if (others?.length === 0) return [];
  const whom = others === undefined ? 'Everybody' : others.map(describeMember).join(' and ');
  const message = `${whom} could read ${r.name('account')} on the rollup.`;
  return [{ level: 'danger', code: 'OTHER_READERS', message }];
}
