import type { Account } from '../../solana/account.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import { viewOf } from '../../solana/view-of.ts';
import { DELEGATION_PROGRAM } from '../addresses.ts';

/**
 * Size of a delegation record without post-delegation actions (delegation program `DelegationRecord`), bytes.
 */
export const DELEGATION_RECORD_BYTES = 96;
/**
 * Size of the metadata of an account with two seeds of 32 bytes (delegation program `DelegationMetadata`),
 * bytes.
 */
export const DELEGATION_METADATA_BYTES = 125;

/** The discriminator of a delegation record, its first u64 (delegation program `AccountDiscriminator`). */
const DELEGATION_RECORD = 100n;
const AUTHORITY_AT = 8;
const OWNER_AT = 40;

/** The authority that means any validator. */
const NOBODY = '11111111111111111111111111111111' as Address;

/** The delegation of an account, and the account's state at that time. */
export interface DelegationRecord {
  /** The validator; all zeros for any validator. */
  readonly authority: Address;
  /** The program that owned the account. */
  readonly owner: Address;
  /** Slot of the delegation. */
  readonly delegationSlot: bigint;
  /** Lamports of the account at delegation. */
  readonly lamports: bigint;
  /** How often the validator is to commit the account, ms. */
  readonly commitFrequencyMs: bigint;
}

/** The delegation record in an account; null if it is none, or has no lamports and so is not there. */
export const decodeDelegationRecord = (account: Account | null): DelegationRecord | null =>
  isRecord(account) ? decodeRecordData(account.data) : null;

/**
 * Decodes the data of a delegation record (delegation program `DelegationRecord`: discriminator u64,
 * authority 32, owner program 32, slot u64, lamports u64, commit frequency u64, then post-delegation
 * actions); null for other bytes.
 */
export function decodeRecordData(data: Uint8Array): DelegationRecord | null {
  if (!isRecordData(data)) return null;
  const view = viewOf(data);
  return {
    authority: addressAt(data, AUTHORITY_AT),
    owner: addressAt(data, OWNER_AT),
    delegationSlot: view.getBigUint64(72, true),
    lamports: view.getBigUint64(80, true),
    commitFrequencyMs: view.getBigUint64(88, true),
  };
}

/**
 * The validator an account of `owner` is delegated to. Null if `account` is not the record of such an
 * account, or names no validator.
 */
export function delegatedValidator(account: Account | null, owner: Address): Address | null {
  if (!isRecord(account) || addressAt(account.data, OWNER_AT) !== owner) return null;
  const authority = addressAt(account.data, AUTHORITY_AT);
  return authority === NOBODY ? null : authority;
}

/** An account is delegated if its record exists, has lamports and belongs to the delegation program. */
const isRecord = (account: Account | null): account is Account =>
  account !== null &&
  account.lamports > 0n &&
  account.owner === DELEGATION_PROGRAM &&
  isRecordData(account.data);

const isRecordData = (data: Uint8Array): boolean =>
  data.length >= DELEGATION_RECORD_BYTES && viewOf(data).getBigUint64(0, true) === DELEGATION_RECORD;

const addressAt = (data: Uint8Array, at: number): Address => addressOf(data.subarray(at, at + 32));
