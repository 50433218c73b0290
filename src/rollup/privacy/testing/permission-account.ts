import { accountOf } from '../../../ledger/testing/make-account.ts';
import { PERMISSION_PROGRAM } from '../../../programs/addresses.ts';
import { type Member, PERMISSION_BYTES } from '../../../programs/permission/state.ts';
import type { Account } from '../../../solana/account.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';

/** Creates a permission account of the permission program; `members` null makes the account public. */
export function permissionAccount(
  account: Address,
  members: readonly Member[] | null,
  program: Address = PERMISSION_PROGRAM,
): Account {
  const data = Buffer.alloc(PERMISSION_BYTES);
  data[1] = 255;
  data.set(addressBytes(account), 2);
  if (members !== null) {
    data[34] = 1;
    data.writeUInt32LE(members.length, 35);
    members.forEach(({ flags, address }, index) => {
      data[39 + index * 33] = flags;
      data.set(addressBytes(address), 40 + index * 33);
    });
  }
  return accountOf(program, data);
}

/** Creates an eATA of layout A. */
export function eataAccount(owner: Address, mint: Address, amount: bigint, program: Address): Account {
  const data = Buffer.alloc(72);
  data.set(addressBytes(owner), 0);
  data.set(addressBytes(mint), 32);
  data.writeBigUInt64LE(amount, 64);
  return accountOf(program, data);
}
