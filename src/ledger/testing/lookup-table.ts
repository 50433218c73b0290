import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { accountOf } from './make-account.ts';

/** Creates a lookup table account; by default active and extended long ago. */
export function lookupTable(
  addresses: readonly Address[],
  { deactivated = 0xffff_ffff_ffff_ffffn, extended = 1n, extendedFrom = 0, tag = 1 } = {},
): Account {
  const data = Buffer.alloc(56 + addresses.length * 32);
  data.writeUInt32LE(tag, 0);
  data.writeBigUInt64LE(deactivated, 4);
  data.writeBigUInt64LE(extended, 12);
  data.writeUInt8(extendedFrom, 20);
  for (const [index, address] of addresses.entries()) data.set(addressBytes(address), 56 + index * 32);
  return accountOf(ADDRESS_LOOKUP_TABLE_PROGRAM, new Uint8Array(data));
}
