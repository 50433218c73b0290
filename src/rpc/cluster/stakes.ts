import type { AccountReads, BlockReads } from '../../ledger/ledger.ts';
import { STAKE_PROGRAM } from '../../programs/addresses.ts';
import type { Address } from '../../solana/address.ts';
import { ByteReader, tryParse } from '../../solana/byte-reader.ts';

/** Tag of `StakeStateV2::Stake`, and the size of its `Meta`: reserve, staker, withdrawer, lockup. */
const DELEGATED = 2;
const META_BYTES = 8 + 32 + 32 + 48;

/**
 * The value for no epoch. As the activation epoch it marks genesis stake, which is always active. As the
 * deactivation epoch it marks stake that is not deactivated.
 */
const NEVER = 0xffff_ffff_ffff_ffffn;

/** `Delegation`: the vote account, lamports, and the epochs of activation and deactivation. */
interface Delegation {
  readonly voter: Address;
  readonly stake: bigint;
  readonly activationEpoch: bigint;
  readonly deactivationEpoch: bigint;
}

/**
 * Returns each vote account's active stake in an epoch, in lamports. This ledger's StakeHistory is empty, so
 * stake is fully active from the epoch after its activation through the epoch of its deactivation.
 */
export function activeStakes(ledger: AccountReads, epoch: bigint): ReadonlyMap<Address, bigint> {
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
  // Stake deactivated in the epoch of its activation never becomes active.
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

/** Returns the epoch of a slot. */
export const epochOf = ({ epochSlots }: Pick<BlockReads, 'epochSlots'>, slot: bigint): bigint =>
  slot / BigInt(epochSlots);

/** Whether an epoch's leaders are known: up to the next epoch (Agave `leader_schedule_slot_offset`). */
export function hasLeaders(ledger: BlockReads, epoch: bigint): boolean {
  return epoch <= epochOf(ledger, BigInt(ledger.head().slot)) + 1n;
}
