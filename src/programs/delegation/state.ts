import { addressOf, type Address } from '../../solana/address.ts';
import { viewOf } from '../../solana/view-of.ts';

/** First u64 of the accounts (delegation program `AccountDiscriminator`). */
const COMMIT_RECORD = 101n;
const METADATA = 102n;
const UNDELEGATION_REQUEST = 104n;

/** Bytes of a commit record (delegation program `CommitRecord`). */
export const COMMIT_RECORD_BYTES = 88;
/** Bytes of a request for an undelegation (delegation program `UndelegationRequest`). */
const UNDELEGATION_REQUEST_BYTES = 48;
/**
 * Slots a validator has to give back what an owner program asks for; after them that program may take it without the
 * validator (delegation program `DEFAULT_UNDELEGATION_REQUEST_TIMEOUT_SLOTS`, and measured).
 */
export const UNDELEGATION_TIMEOUT_SLOTS = 9_000n;
/** Bytes of a validator's or the protocol's fees vault. */
export const FEES_VAULT_BYTES = 8;

/** Who asked for an account to be given back (delegation program `UndelegationRequester`, in the order of its values). */
const REQUESTERS = ['none', 'validator', 'ownerProgram'] as const;

/** How to give a delegated account back. */
interface DelegationMetadata {
  /** Nonce of the last commit, 0 before the first; the next commit must carry one more. */
  readonly commitNonce: bigint;
  /** Who asked for the account to be given back; it can be undelegated when the validator allowed it in a commit. */
  readonly undelegationRequester: (typeof REQUESTERS)[number];
  /** What the account is derived from. */
  readonly seeds: readonly Uint8Array[];
  /** Who gets the rents of the delegation back. */
  readonly rentPayer: Address;
}

/** The delegation metadata in an account's data (Borsh `DelegationMetadata`), null when the bytes are not that. */
export function decodeDelegationMetadata(data: Uint8Array): DelegationMetadata | null {
  const view = viewOf(data);
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
  if (data.length !== at + 32) return null;
  return {
    commitNonce: view.getBigUint64(8, true),
    undelegationRequester,
    seeds,
    rentPayer: addressOf(data.subarray(at)),
  };
}

/** What stands beside a committed state until it is finalized. */
interface CommitRecord {
  readonly validator: Address;
  readonly account: Address;
  readonly nonce: bigint;
  readonly lamports: bigint;
}

/** The commit record in an account's data, null when the bytes are not that. */
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

/** What an owner program asked for with a time-out. */
interface UndelegationRequest {
  readonly account: Address;
  /** From this slot on the owner program may take the account back without its validator. */
  readonly expiresAtSlot: bigint;
}

/** The request in an account's data (discriminator u64, account 32, slot u64), null when the bytes are not that. */
export function decodeUndelegationRequest(data: Uint8Array): UndelegationRequest | null {
  const view = viewOf(data);
  if (data.length !== UNDELEGATION_REQUEST_BYTES || view.getBigUint64(0, true) !== UNDELEGATION_REQUEST) {
    return null;
  }
  return { account: addressOf(data.subarray(8, 40)), expiresAtSlot: view.getBigUint64(40, true) };
}
