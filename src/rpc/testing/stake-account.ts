import { STAKE_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressBytes } from '../../solana/address.ts';
import { accountWith } from './token-accounts.ts';
import { addressFilledWith } from './transactions.ts';

/** Bytes of a stake account (`StakeStateV2::size_of`). */
const STAKE_BYTES = 200;

/** Fields of a stake account that a test sets. The rest are zeros. */
export interface StakeFields {
  /** The variant of `StakeStateV2`: 1 initialised, 2 delegated. */
  readonly state: number;
  readonly withdrawer?: Address;
  /** s since the Unix epoch. */
  readonly lockedUntil?: bigint;
  readonly lockedUntilEpoch?: bigint;
  readonly lamports?: bigint;
}

/** A stake account: state u32, reserve u64, staker, withdrawer, lockup: time i64, epoch u64, custodian. */
export function stakeAccount({
  state,
  withdrawer,
  lockedUntil,
  lockedUntilEpoch,
  lamports,
}: StakeFields): Account {
  const data = Buffer.alloc(STAKE_BYTES);
  data.writeUInt32LE(state, 0);
  data.set(addressBytes(withdrawer ?? addressFilledWith(77)), 44);
  data.writeBigInt64LE(lockedUntil ?? 0n, 76);
  data.writeBigUInt64LE(lockedUntilEpoch ?? 0n, 84);
  return { ...accountWith(data, STAKE_PROGRAM), lamports: lamports ?? 1n };
}

/** A clock with an epoch and a time, s since the Unix epoch. */
export function clockAccount(epoch: bigint, unixTimestamp: bigint): Account {
  const data = Buffer.alloc(40);
  data.writeBigUInt64LE(epoch, 16);
  data.writeBigInt64LE(unixTimestamp, 32);
  return { ...accountWith(data, 'Sysvar1111111111111111111111111111111111111' as Address), lamports: 1n };
}
