import { addressOf, type Address } from '../../solana/address.ts';
import { viewOf } from '../../solana/view-of.ts';

/** What a member of a permission may do; the flags of a member are a sum of these (permission program `MemberFlags`). */
export const MEMBER_FLAG = {
  /** Change the permission. */
  authority: 1,
  /** Read on the rollup: logs, balances, messages and signatures of transactions that touch the account. */
  txLogs: 2,
  txBalances: 4,
  txMessage: 8,
  accountSignatures: 16,
} as const;

/** Someone a permission names. */
export interface Member {
  /** A sum of {@link MEMBER_FLAG} values. */
  readonly flags: number;
  readonly address: Address;
}

/** Who may read an account on the rollup. */
interface Permission {
  readonly bump: number;
  /** The account whose reading is governed. */
  readonly account: Address;
  /** Null when everybody may read the account. */
  readonly members: readonly Member[] | null;
}

const DISCRIMINATOR = 0;
const OPTION_AT = 34;
/** Where the list begins after the byte of the option and the count. */
const LIST_AT = 5;
const MEMBER_BYTES = 33;

/**
 * The permission in an account's data (discriminator u8 = 0, bump u8, account 32, members as Borsh
 * `Option<Vec<Member>>`; what follows is room for more), null when the bytes are not that.
 */
export function decodePermission(data: Uint8Array): Permission | null {
  if (data.length <= OPTION_AT || data[0] !== DISCRIMINATOR) return null;
  const bump = data[1] as number;
  const account = addressOf(data.subarray(2, OPTION_AT));
  const members = decodeMembers(data.subarray(OPTION_AT));
  return members === undefined ? null : { bump, account, members };
}

/**
 * The members at the start of `data`, a Borsh `Option<Vec<Member>>`: null for none, which means everybody, undefined when
 * the bytes are not that.
 */
export function decodeMembers(data: Uint8Array): readonly Member[] | null | undefined {
  if (data[0] === 0) return null;
  if (data[0] !== 1 || data.length < LIST_AT) return undefined;
  const count = viewOf(data).getUint32(1, true);
  if (LIST_AT + count * MEMBER_BYTES > data.length) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const at = LIST_AT + index * MEMBER_BYTES;
    return { flags: data[at] as number, address: addressOf(data.subarray(at + 1, at + MEMBER_BYTES)) };
  });
}
