import { STAKE_PROGRAM, VOTE_PROGRAM } from '../../programs/addresses.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import { type Address, writeAddress } from '../../solana/address.ts';
import { rentExemptMinimum } from '../../solana/rent.ts';
import { Keypair, nodeSecret } from '../keypair.ts';
import { type AccountEntry, walletAccount } from './genesis.ts';

const LAMPORTS_PER_SOL = 1_000_000_000n;

/** Lamports of the validator's identity, and of its vote and stake account each (`TestValidator`). */
const IDENTITY_LAMPORTS = 500n * LAMPORTS_PER_SOL;
const STAKED_LAMPORTS = 1_000_000n * LAMPORTS_PER_SOL;

/**
 * Sizes of a vote account (`VoteStateV4::size_of`) and of a stake account (`StakeStateV2::size_of`), bytes.
 */
const VOTE_BYTES = 3_762;
const STAKE_BYTES = 200;
const LOCKUP_BYTES = 8 + 8 + 32;

/** Tags of `VoteStateVersions` and `StakeStateV2`: version 4, and delegated. */
const VOTE_V4 = 3;
const DELEGATED = 2;

const ALL_BPS = 10_000;

/**
 * The epoch u64::MAX, which never comes. As the activation epoch it marks the stake of a genesis as active
 * from the start.
 */
const NEVER = 0xffff_ffff_ffff_ffffn;

/** `DEFAULT_WARMUP_COOLDOWN_RATE`. Deprecated and no longer read. */
const WARM_UP_RATE = 0.25;

/** The accounts of the ledger's only validator. */
export interface ValidatorAddresses {
  readonly identity: Address;
  readonly vote: Address;
  readonly stake: Address;
}

/** The validator addresses of the node with this secret. */
export function validatorAddresses(identitySeed: Uint8Array): ValidatorAddresses {
  const addressFor = (purpose: string): Address => new Keypair(nodeSecret(identitySeed, purpose)).address;
  return {
    identity: new Keypair(identitySeed).address,
    vote: addressFor('vote account'),
    stake: addressFor('stake account'),
  };
}

/** A funded validator with a vote account and its stake, as a test validator starts with. */
export function* stakedValidator({ identity, vote, stake }: ValidatorAddresses): Iterable<AccountEntry> {
  yield [identity, walletAccount(IDENTITY_LAMPORTS)];
  yield [vote, holding(VOTE_PROGRAM, voteState(identity, vote))];
  yield [stake, holding(STAKE_PROGRAM, stakeState(stake, vote))];
}

function holding(owner: Address, data: Uint8Array): Account {
  return { lamports: STAKED_LAMPORTS, owner, data, executable: false, rentEpoch: RENT_EXEMPT_EPOCH };
}

/**
 * `VoteStateV4`: node, withdrawer, collectors of inflation and block rewards 32 each, their commissions u16,
 * pending rewards u64, Option of a BLS key, votes (none), Option of the root, voters by epoch, credits
 * (none), timestamp 16.
 */
function voteState(identity: Address, vote: Address): Uint8Array {
  const data = Buffer.alloc(VOTE_BYTES);
  let at = putAddresses(data, data.writeUInt32LE(VOTE_V4), identity, vote, vote, identity);
  // The validator takes no commission on inflation rewards and all block rewards.
  at = data.writeUInt16LE(ALL_BPS, at + 2);
  at += 8 + 1 + 8 + 1;
  // One authorised voter, from epoch 0 on.
  at = data.writeBigUInt64LE(1n, at) + 8;
  putAddresses(data, at, vote);
  return new Uint8Array(data);
}

/**
 * `StakeStateV2::Stake`: reserve u64, staker and withdrawer 32 each, lockup 48 (none), voter 32, stake u64,
 * epochs of activation and deactivation u64, rate f64, credits observed u64, flags u8. The account's own key
 * is the authority.
 */
function stakeState(stake: Address, vote: Address): Uint8Array {
  const data = Buffer.alloc(STAKE_BYTES);
  const reserve = rentExemptMinimum(STAKE_BYTES);
  let at = data.writeUInt32LE(DELEGATED);
  at = data.writeBigUInt64LE(reserve, at);
  at = putAddresses(data, at, stake, stake) + LOCKUP_BYTES;
  at = putAddresses(data, at, vote);
  at = data.writeBigUInt64LE(STAKED_LAMPORTS - reserve, at);
  at = data.writeBigUInt64LE(NEVER, at);
  at = data.writeBigUInt64LE(NEVER, at);
  data.writeDoubleLE(WARM_UP_RATE, at);
  return new Uint8Array(data);
}

/** Writes addresses one after another and returns the offset behind them. */
function putAddresses(data: Buffer, at: number, ...addresses: readonly Address[]): number {
  for (const [index, address] of addresses.entries()) writeAddress(data, at + index * 32, address);
  return at + addresses.length * 32;
}
