import { addressOf, type Address } from '../../solana/address.ts';
import { viewOf } from '../../solana/view-of.ts';

/** Account discriminators, the first u64 (delegation program `AccountDiscriminator`). */
const COMMIT_RECORD = 101n;
const METADATA = 102n;
const UNDELEGATION_REQUEST = 104n;

/** Size of a commit record (delegation program `CommitRecord`), bytes. */
export const COMMIT_RECORD_BYTES = 88;
/** Bytes of a request for an undelegation (delegation program `UndelegationRequest`). */
const UNDELEGATION_REQUEST_BYTES = 48;
/**
 * Slots a validator has to give back what an owner program asks for; after them that program may take it
 * without the validator (delegation program `DEFAULT_UNDELEGATION_REQUEST_TIMEOUT_SLOTS`, and measured).
 */
export const UNDELEGATION_TIMEOUT_SLOTS = 9_000n;
/** Size of a fees vault, a validator's or the protocol's, bytes. */
export const FEES_VAULT_BYTES = 8;

/** Who requested an undelegation (delegation program `UndelegationRequester`, in the order of its values). */
const REQUESTERS = ['none', 'validator', 'ownerProgram'] as const;

/** The data needed to undelegate an account. */
interface DelegationMetadata {
  /** The nonce of the last commit, 0 before the first. The next commit must carry this plus one. */
  readonly commitNonce: bigint;
  /** Who requested the undelegation. It is possible once the validator has allowed it in a commit. */
  readonly undelegationRequester: (typeof REQUESTERS)[number];
  /** The seeds of the account. */
  readonly seeds: readonly Uint8Array[];
  /** Receives the rent of the delegation accounts. */
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
  // The rent payer ends the data.
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

/** What an owner program asked for with a time-out. */
interface UndelegationRequest {
  readonly account: Address;
  /** From this slot on the owner program may take the account back without its validator. */
  readonly expiresAtSlot: bigint;
}

/**
 * The request in an account's data (discriminator u64, account 32, slot u64), null when the bytes are not
 * that.
 */
export function decodeUndelegationRequest(data: Uint8Array): UndelegationRequest | null {
  const view = viewOf(data);
  if (data.length !== UNDELEGATION_REQUEST_BYTES || view.getBigUint64(0, true) !== UNDELEGATION_REQUEST) {
    return null;
  }
  return { account: addressOf(data.subarray(8, 40)), expiresAtSlot: view.getBigUint64(40, true) };
}
