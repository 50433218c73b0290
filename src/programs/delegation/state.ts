import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { viewOf } from '../../solana/byte-reader.ts';
import { DELEGATION_PROGRAM } from '../addresses.ts';

/** Size of a delegation record without post-delegation actions (`DelegationRecord`), in bytes. */
export const DELEGATION_RECORD_BYTES = 96;
/** Size of an account's metadata with two 32-byte seeds (`DelegationMetadata`), in bytes. */
export const DELEGATION_METADATA_BYTES = 125;

/** The discriminator of a delegation record, its first u64 (delegation program `AccountDiscriminator`). */
const DELEGATION_RECORD = 100n;
const AUTHORITY_AT = 8;
const OWNER_AT = 40;

/** The authority of a record that any validator may use. */
const ANY_VALIDATOR = '11111111111111111111111111111111' as Address;

/** The delegation of an account, with the account's state when it was delegated. */
export interface DelegationRecord {
  /** The validator, or all zeros for any validator. */
  readonly authority: Address;
  /** The program that owned the account. */
  readonly owner: Address;
  readonly delegationSlot: bigint;
  readonly lamports: bigint;
  /** Interval at which the validator should commit the account, in ms. */
  readonly commitFrequencyMs: bigint;
}

/** Decodes the delegation record in an account; null if the account is not a record or has no lamports. */
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

/** Returns the validator of a delegated account of `owner`; null for other accounts or if there is none. */
export function delegatedValidator(account: Account | null, owner: Address): Address | null {
  if (!isRecord(account) || addressAt(account.data, OWNER_AT) !== owner) return null;
  const authority = addressAt(account.data, AUTHORITY_AT);
  return authority === ANY_VALIDATOR ? null : authority;
}

/** Whether an account is a live record: it has lamports and belongs to the delegation program. */
const isRecord = (account: Account | null): account is Account =>
  account !== null &&
  account.lamports > 0n &&
  account.owner === DELEGATION_PROGRAM &&
  isRecordData(account.data);

const isRecordData = (data: Uint8Array): boolean =>
  data.length >= DELEGATION_RECORD_BYTES && viewOf(data).getBigUint64(0, true) === DELEGATION_RECORD;

const addressAt = (data: Uint8Array, at: number): Address => addressOf(data.subarray(at, at + 32));

/** Account discriminators, the first u64 (delegation program `AccountDiscriminator`). */
const COMMIT_RECORD = 101n;
const METADATA = 102n;
const UNDELEGATION_REQUEST = 104n;

/** Size of a commit record (delegation program `CommitRecord`), in bytes. */
export const COMMIT_RECORD_BYTES = 88;
/** Size of an undelegation request (delegation program `UndelegationRequest`), in bytes. */
const UNDELEGATION_REQUEST_BYTES = 48;
/**
 * Slots within which a validator must return an account that its owner program requests. Afterwards the
 * program can reclaim the account without the validator (delegation program
 * `DEFAULT_UNDELEGATION_REQUEST_TIMEOUT_SLOTS`, and measured).
 */
export const UNDELEGATION_TIMEOUT_SLOTS = 9_000n;
/** Size of a validator's or the protocol's fees vault, in bytes. */
export const FEES_VAULT_BYTES = 8;

/** Requesters of an undelegation (delegation program `UndelegationRequester`, in the order of its values). */
const REQUESTERS = ['none', 'validator', 'ownerProgram'] as const;

/** The data needed to undelegate an account. */
interface DelegationMetadata {
  /** The nonce of the last commit, 0 before the first. The next commit must carry it plus one. */
  readonly commitNonce: bigint;
  /** The requester of the undelegation. The validator allows the undelegation in a commit. */
  readonly undelegationRequester: (typeof REQUESTERS)[number];
  /** The seeds of the account. */
  readonly seeds: readonly Uint8Array[];
  /** The account that receives the rent of the delegation accounts when they close. */
  readonly rentPayer: Address;
}

/** Decodes delegation metadata (Borsh `DelegationMetadata`); null for other bytes. */
export function decodeDelegationMetadata(data: Uint8Array): DelegationMetadata | null {
  const view = viewOf(data);
  // Discriminator u64, nonce u64, requester u8 and the count of seeds u32.
  if (data.length < 21 || view.getBigUint64(0, true) !== METADATA) return null;
  const undelegationRequester = REQUESTERS[view.getUint8(16)];
  if (undelegationRequester === undefined) return null;
  const seeds: Uint8Array[] = [];
  let at = 21;
  for (let rest = view.getUint32(17, true); rest > 0; rest--) {
    if (data.length < at + 4) return null;
    const end = at + 4 + view.getUint32(at, true);
    if (data.length < end) return null;
    seeds.push(data.subarray(at + 4, end));
    at = end;
  }
  // The rent payer is the last field.
  if (data.length !== at + 32) return null;
  return {
    commitNonce: view.getBigUint64(8, true),
    undelegationRequester,
    seeds,
    rentPayer: addressOf(data.subarray(at)),
  };
}

/** The record of a committed state until it is finalized. */
interface CommitRecord {
  readonly validator: Address;
  readonly account: Address;
  readonly nonce: bigint;
  readonly lamports: bigint;
}

/** Decodes a commit record; null for other bytes. */
export function decodeCommitRecord(data: Uint8Array): CommitRecord | null {
  const view = viewOf(data);
  if (data.length !== COMMIT_RECORD_BYTES || view.getBigUint64(0, true) !== COMMIT_RECORD) return null;
  return {
    validator: addressOf(data.subarray(8, 40)),
    account: addressOf(data.subarray(40, 72)),
    nonce: view.getBigUint64(72, true),
    lamports: view.getBigUint64(80, true),
  };
}

/** An owner program's request for its account, with a timeout. */
interface UndelegationRequest {
  readonly account: Address;
  /** The slot from which the owner program can reclaim the account without its validator. */
  readonly expiresAtSlot: bigint;
}

/** Decodes an undelegation request (discriminator u64, account 32, slot u64); null for other bytes. */
export function decodeUndelegationRequest(data: Uint8Array): UndelegationRequest | null {
  const view = viewOf(data);
  if (data.length !== UNDELEGATION_REQUEST_BYTES || view.getBigUint64(0, true) !== UNDELEGATION_REQUEST) {
    return null;
  }
  return { account: addressOf(data.subarray(8, 40)), expiresAtSlot: view.getBigUint64(40, true) };
}
