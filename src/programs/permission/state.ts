import { type Address, addressOf } from '../../solana/address.ts';
import { viewOf } from '../../solana/byte-reader.ts';
import { findPda, type Pda } from '../../solana/pda.ts';
import { PERMISSION_PROGRAM } from '../addresses.ts';
import { textSeed } from '../instruction-data.ts';

const PERMISSION_SEED = textSeed('permission:');

/** Size of a permission account, as the permission program allocates it, in bytes. */
export const PERMISSION_BYTES = 567;

/** Derives the permission of an account on the rollup. Seeds "permission:", account. */
export const derivePermission = (account: Address): Pda =>
  findPda([PERMISSION_SEED, account], PERMISSION_PROGRAM);

/** Rights of a member, which are summed in its flags (permission program `MemberFlags`). */
export const MEMBER_FLAG = {
  /** The right to change the permission. */
  authority: 1,
  /** The rights to read logs, balances, messages and signatures of the transactions on the rollup. */
  txLogs: 2,
  txBalances: 4,
  txMessage: 8,
  accountSignatures: 16,
} as const;

/** Flags of a permission for the owner only. The program makes the owner the authority. */
export const OWNER_ONLY = 0;

/** An entry of a permission. */
export interface Member {
  /** A sum of {@link MEMBER_FLAG} values. */
  readonly flags: number;
  readonly address: Address;
}

/** The readers of an account on the rollup. */
interface Permission {
  readonly bump: number;
  readonly account: Address;
  /** The readers; null if everyone may read the account. */
  readonly members: readonly Member[] | null;
}

const DISCRIMINATOR = 0;
const OPTION_AT = 34;
/** Offset of the list, after the option byte and the count. */
const LIST_AT = 5;
const MEMBER_BYTES = 33;

/**
 * Decodes a permission (discriminator u8 = 0, bump u8, account 32, members as Borsh `Option<Vec<Member>>`,
 * then reserved room); null for other bytes.
 */
export function decodePermission(data: Uint8Array): Permission | null {
  if (data.length <= OPTION_AT || data[0] !== DISCRIMINATOR) return null;
  const bump = data[1] as number;
  const account = addressOf(data.subarray(2, OPTION_AT));
  const members = decodeMembers(data.subarray(OPTION_AT));
  return members === undefined ? null : { bump, account, members };
}

/**
 * Decodes members from the start of `data`, a Borsh `Option<Vec<Member>>`. Null means everyone; undefined is
 * malformed.
 */
export function decodeMembers(data: Uint8Array): readonly Member[] | null | undefined {
  if (data[0] === 0) return null;
  if (data[0] !== 1 || data.length < LIST_AT) return undefined;
  const count = viewOf(data).getUint32(1, true);
  // More bytes than the counted members may follow, but not fewer.
  if (LIST_AT + count * MEMBER_BYTES > data.length) return undefined;
  return listMembers(data.subarray(LIST_AT, LIST_AT + count * MEMBER_BYTES));
}

/** Decodes members from a list without a count: flags u8 and address, repeated. */
export const listMembers = (data: Uint8Array): readonly Member[] =>
  Array.from({ length: Math.floor(data.length / MEMBER_BYTES) }, (_, index) => {
    const at = index * MEMBER_BYTES;
    return { flags: data[at] as number, address: addressOf(data.subarray(at + 1, at + MEMBER_BYTES)) };
  });
