import type { Account } from '../../solana/account.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import { DELEGATION_PROGRAM } from '../addresses.ts';

/** Bytes of a delegation record without post-delegation actions (delegation program `DelegationRecord`). */
export const DELEGATION_RECORD_BYTES = 96;
/** Bytes of the metadata of an account with two seeds of 32 bytes (delegation program `DelegationMetadata`). */
export const DELEGATION_METADATA_BYTES = 125;

const AUTHORITY_AT = 8;

/**
 * The validator a delegation record names, null when `account` is no record of the delegation program: an account is
 * delegated when its record exists, holds lamports and belongs to that program.
 */
export function delegatedValidator(account: Account | null): Address | null {
  if (account === null || account.lamports === 0n || account.owner !== DELEGATION_PROGRAM) return null;
  if (account.data.length < DELEGATION_RECORD_BYTES) return null;
  return addressOf(account.data.subarray(AUTHORITY_AT, AUTHORITY_AT + 32));
}

/** Who an account is delegated to, and what it was then. */
export interface DelegationRecord {
  /** The validator; all zeros where any may have it. */
  readonly authority: Address;
  /** The program that owned the account. */
  readonly owner: Address;
  /** Slot of the delegation. */
  readonly delegationSlot: bigint;
  /** What the account held. */
  readonly lamports: bigint;
}

/** The whole of a delegation record (delegation program `DelegationRecord`); null as {@link delegatedValidator}. */
export function decodeDelegationRecord(account: Account | null): DelegationRecord | null {
  const authority = delegatedValidator(account);
  if (authority === null || account === null) return null;
  const { data } = account;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return {
    authority,
    owner: addressOf(data.subarray(40, 72)),
    delegationSlot: view.getBigUint64(72, true),
    lamports: view.getBigUint64(80, true),
  };
}
