import { derivePermission } from '../../programs/permission/pdas.ts';
import { decodePermission, MEMBER_FLAG, type Member } from '../../programs/permission/state.ts';
import type { JsonOutput } from '../../json/json-value.ts';
import { Unparsable } from '../../solana/byte-reader.ts';
import type { AccountBytes } from './parse-account.ts';

/**
 * A permission of the permission program, i.e. who may read an account on the rollup. Null members mean
 * everyone.
 *
 * @throws {Unparsable}
 */
export function parsePermissionState({ address, data }: AccountBytes): JsonOutput {
  const permission = decodePermission(data);
  if (permission === null || derivePermission(permission.account).address !== address) {
    throw new Unparsable('no permission');
  }
  const { account, bump, members } = permission;
  return { info: { account, bump, members: members?.map(showMember) ?? null }, type: 'permission' };
}

/** A member with its rights as names. */
function showMember({ address, flags }: Member): JsonOutput {
  const named = Object.entries(MEMBER_FLAG).filter(([, flag]) => (flags & flag) !== 0);
  return { address, flags: named.map(([name]) => name) };
}
