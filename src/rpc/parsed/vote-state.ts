import type { JsonOutput } from '../../json/write-json.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { ByteReader, Unparsable } from '../../solana/byte-reader.ts';
import type { AccountBytes } from './parse-account.ts';

/** Variants of `VoteStateVersions` in `solana-vote-interface`. 0 is an uninitialized account. */
const V1_14_11 = 1;
const V3 = 2;
const V4 = 3;

/** Size of the prior voters in older versions: 32 entries of a voter and two epochs, an index, a flag. */
const PRIOR_VOTERS_BYTES = 32 * (32 + 8 + 8) + 8 + 1;

const BLS_KEY_BYTES = 48;

/** 100 % in basis points. */
const ALL_BPS = 10_000;

/**
 * Shows a vote account like Agave 4 (`parse_vote`): bincode of any version, with the members of version 4.
 *
 * @throws {Unparsable}
 */
export const parseVoteState = (account: AccountBytes): JsonOutput => ({
  info: readVoteState(account),
  type: 'vote',
});

/** Reads the state that {@link parseVoteState} shows. */
export function readVoteState({ address, data }: Pick<AccountBytes, 'address' | 'data'>) {
  const reader = new ByteReader(data);
  const version = reader.u32();
  if (version < V1_14_11 || version > V4) throw new Unparsable('no vote state');
  const terms = version === V4 ? readTerms(reader) : readOldTerms(reader, address);
  const votes = reader.list(12, () => readVote(reader, version >= V3));
  const rootSlot = reader.option(() => reader.u64());
  const authorizedVoters = reader.list(40, () => {
    const epoch = reader.u64();
    return { authorizedVoter: reader.address(), epoch };
  });
  if (version !== V4) reader.take(PRIOR_VOTERS_BYTES);
  const epochCredits = reader.list(24, () => {
    const epoch = reader.u64();
    const credits = reader.u64().toString();
    return { credits, epoch, previousCredits: reader.u64().toString() };
  });
  const lastTimestamp = { slot: reader.u64(), timestamp: reader.i64() };
  return {
    authorizedVoters,
    authorizedWithdrawer: terms.authorizedWithdrawer,
    blockRevenueCollector: terms.blockRevenueCollector,
    blockRevenueCommissionBps: terms.blockRevenueCommissionBps,
    blsPubkeyCompressed: terms.blsPubkeyCompressed,
    commission: commissionPercent(terms.inflationRewardsCommissionBps),
    epochCredits,
    inflationRewardsCollector: terms.inflationRewardsCollector,
    inflationRewardsCommissionBps: terms.inflationRewardsCommissionBps,
    lastTimestamp,
    nodePubkey: terms.nodePubkey,
    pendingDelegatorRewards: terms.pendingDelegatorRewards.toString(),
    // Version 4 has no prior voters, and Agave shows none for older versions.
    priorVoters: [],
    rootSlot,
    votes,
  };
}

/** The authorities of a vote account, and the recipients and shares of its income. */
interface VoteTerms {
  readonly nodePubkey: Address;
  readonly authorizedWithdrawer: Address;
  readonly inflationRewardsCollector: Address;
  readonly blockRevenueCollector: Address;
  readonly inflationRewardsCommissionBps: number;
  readonly blockRevenueCommissionBps: number;
  readonly pendingDelegatorRewards: bigint;
  /** The compressed BLS public key, base58. */
  readonly blsPubkeyCompressed: string | null;
}

/** Reads the terms of a `VoteStateV4`, in declaration order. */
const readTerms = (reader: ByteReader): VoteTerms => ({
  nodePubkey: reader.address(),
  authorizedWithdrawer: reader.address(),
  inflationRewardsCollector: reader.address(),
  blockRevenueCollector: reader.address(),
  inflationRewardsCommissionBps: reader.u16(),
  blockRevenueCommissionBps: reader.u16(),
  pendingDelegatorRewards: reader.u64(),
  blsPubkeyCompressed: reader.option(() => encodeBase58(reader.take(BLS_KEY_BYTES))),
});

/** Reads older versions and converts them to the terms of version 4 (SIMD-0185). */
function readOldTerms(reader: ByteReader, voteAccount: Address): VoteTerms {
  const nodePubkey = reader.address();
  return {
    nodePubkey,
    authorizedWithdrawer: reader.address(),
    inflationRewardsCollector: voteAccount,
    blockRevenueCollector: nodePubkey,
    inflationRewardsCommissionBps: reader.u8() * 100,
    blockRevenueCommissionBps: ALL_BPS,
    pendingDelegatorRewards: 0n,
    blsPubkeyCompressed: null,
  };
}

function readVote(reader: ByteReader, hasLatency: boolean) {
  const latency = hasLatency ? reader.u8() : 0;
  const slot = reader.u64();
  return { confirmationCount: reader.u32(), latency, slot };
}

/** Converts basis points to whole percent, truncated to a byte like Rust's `as u8`. */
const commissionPercent = (bps: number): number => Math.floor(bps / 100) & 0xff;
