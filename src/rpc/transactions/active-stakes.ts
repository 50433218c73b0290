import type { Ledger } from '../../ledger/ledger.ts';
import type { Address } from '../../solana/address.ts';
import { ByteReader, tryParse } from '../../solana/byte-reader.ts';
import { STAKE_PROGRAM } from '../../programs/addresses.ts';

/** `StakeStateV2::Stake`, and the bytes of its `Meta`: reserve, staker, withdrawer, lockup. */
const DELEGATED = 2;
const META_BYTES = 8 + 32 + 32 + 48;

/** The epoch of what never was activated, as a genesis' stake, or is not deactivated. */
const NEVER = 0xffff_ffff_ffff_ffffn;

/**
 * `Delegation`: the vote account, lamports, and the epochs in which they begin to count and to count no more.
 */
interface Delegation {
  readonly voter: Address;
  readonly stake: bigint;
  readonly activationEpoch: bigint;
  readonly deactivationEpoch: bigint;
}

/**
 * The lamports that count for each vote account in an epoch. The StakeHistory sysvar of this ledger is empty,
 * and without it stake counts whole from the epoch after that of its activation, up to that of its
 * deactivation.
 */
export function activeStakes(ledger: Ledger, epoch: bigint): ReadonlyMap<Address, bigint> {
  const stakes = new Map<Address, bigint>();
  for (const [, { data }] of ledger.programAccounts(STAKE_PROGRAM)) {
    const delegation = tryParse(() => readDelegation(data)) ?? null;
    if (delegation === null || !isActive(delegation, epoch)) continue;
    stakes.set(delegation.voter, (stakes.get(delegation.voter) ?? 0n) + delegation.stake);
  }
  return stakes;
}

function isActive({ activationEpoch, deactivationEpoch }: Delegation, epoch: bigint): boolean {
  if (activationEpoch === NEVER) return true;
  // Deactivated in the epoch of its activation it never counts.
  return activationEpoch < epoch && activationEpoch !== deactivationEpoch && epoch <= deactivationEpoch;
}

function readDelegation(data: Uint8Array): Delegation | null {
  const reader = new ByteReader(data);
  if (reader.u32() !== DELEGATED) return null;
  reader.take(META_BYTES);
  return {
    voter: reader.address(),
    stake: reader.u64(),
    activationEpoch: reader.u64(),
    deactivationEpoch: reader.u64(),
  };
}
