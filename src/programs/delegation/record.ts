import type { Account } from '../../solana/account.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import { viewOf } from '../../solana/view-of.ts';
import { DELEGATION_PROGRAM } from '../addresses.ts';

/** Bytes of a delegation record without post-delegation actions (delegation program `DelegationRecord`). */
export const DELEGATION_RECORD_BYTES = 96;
/** Bytes of the metadata of an account with two seeds of 32 bytes (delegation program `DelegationMetadata`). */
export const DELEGATION_METADATA_BYTES = 125;

/** First u64 of a delegation record (delegation program `AccountDiscriminator`). */
const DELEGATION_RECORD = 100n;
const AUTHORITY_AT = 8;
const OWNER_AT = 40;

/** The authority of what any validator may have. */
const NOBODY = '11111111111111111111111111111111' as Address;

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

/**
 * A delegation record (delegation program `DelegationRecord`: discriminator u64, authority 32, owner program
 * 32, slot u64, lamports u64, commit frequency u64, then the actions after the delegation); null when
 * `account` is none: an account is delegated when its record exists, holds lamports and belongs to that
 * program.
 */
export function decodeDelegationRecord(account: Account | null): DelegationRecord | null {
  if (!isRecord(account)) return null;
  const { data } = account;
  const view = viewOf(data);
  return {
    authority: addressAt(data, AUTHORITY_AT),
    owner: addressAt(data, OWNER_AT),
    delegationSlot: view.getBigUint64(72, true),
    lamports: view.getBigUint64(80, true),
  };
}

/**
 * The validator that an account of `owner` is delegated to; null when `account` is not the record of such an
 * account, or names no validator.
 */
export function delegatedValidator(account: Account | null, owner: Address): Address | null {
  if (!isRecord(account) || addressAt(account.data, OWNER_AT) !== owner) return null;
  const authority = addressAt(account.data, AUTHORITY_AT);
  return authority === NOBODY ? null : authority;
}

function isRecord(account: Account | null): account is Account {
  if (account === null || account.lamports === 0n || account.owner !== DELEGATION_PROGRAM) return false;
  const { data } = account;
  return data.length >= DELEGATION_RECORD_BYTES && viewOf(data).getBigUint64(0, true) === DELEGATION_RECORD;
}

const addressAt = (data: Uint8Array, at: number): Address => addressOf(data.subarray(at, at + 32));
