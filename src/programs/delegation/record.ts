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
