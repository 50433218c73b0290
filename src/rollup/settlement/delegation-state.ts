import type { AccountView } from '../../ledger/state/account-state.ts';
import { deriveDelegationMetadata, deriveDelegationRecord } from '../../programs/delegation/pdas.ts';
import { decodeDelegationMetadata, decodeDelegationRecord } from '../../programs/delegation/state.ts';
import type { Address } from '../../solana/address.ts';

/** What base says of a delegated account, as far as a commit of it goes by that. */
export interface DelegationState {
  readonly account: Address;
  readonly record: Address;
  readonly metadata: Address;
  /** Lamports in the delegation record: those of the account when it was delegated. */
  readonly lamports: bigint;
  /** The nonce of the next commit. */
  readonly nonce: bigint;
  /** Who is refunded the rent of the delegation accounts. */
  readonly rentPayer: Address;
}

/** Null when the account is not delegated, or its record or metadata cannot be read. */
export function readDelegationState(
  account: Address,
  base: Pick<AccountView, 'get'>,
): DelegationState | null {
  const metadataAddress = deriveDelegationMetadata(account).address;
  const metadata = decodeDelegationMetadata(base.get(metadataAddress)?.data ?? new Uint8Array(0));
  const recordAddress = deriveDelegationRecord(account).address;
  const record = decodeDelegationRecord(base.get(recordAddress) ?? null);
  if (metadata === null || record === null) return null;
  return {
    account,
    record: recordAddress,
    metadata: metadataAddress,
    lamports: record.lamports,
    nonce: metadata.commitNonce + 1n,
    rentPayer: metadata.rentPayer,
  };
}
