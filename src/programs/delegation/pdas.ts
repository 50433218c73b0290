import type { Address } from '../../solana/address.ts';
import { findPda, type Pda } from '../../solana/pda.ts';
import { DELEGATION_PROGRAM } from '../addresses.ts';
import { textSeed } from '../instruction-data.ts';

/** The accounts used to delegate: the owner program's buffer, the record and the metadata. */
export interface DelegationAccounts {
  readonly buffer: Address;
  readonly record: Address;
  readonly metadata: Address;
}

const pdaOf = (word: string): ((account: Address) => Pda) => {
  const seed = textSeed(word);
  return (account) => findPda([seed, account], DELEGATION_PROGRAM);
};

const FEES_VAULT_SEED = textSeed('fees-vault');
const BALANCE_SEED = textSeed('balance');
const BUFFER_SEED = textSeed('buffer');

/** Derives an account's delegation record, which names the validator. Seeds "delegation", account. */
export const deriveDelegationRecord = pdaOf('delegation');
/** Derives the metadata needed to undelegate an account. Seeds "delegation-metadata", account. */
export const deriveDelegationMetadata = pdaOf('delegation-metadata');
/** Derives the committed state of an account. Seeds "state-diff", account. */
export const deriveCommitState = pdaOf('state-diff');
/** Derives the record of a committed state. Seeds "commit-state-record", account. */
export const deriveCommitRecord = pdaOf('commit-state-record');
/**
 * Derives the buffer that holds an account's data during undelegation. Seeds "undelegate-buffer", account.
 */
export const deriveUndelegateBuffer = pdaOf('undelegate-buffer');
/** Derives an owner program's request to undelegate an account. Seeds "undelegation-request", account. */
export const deriveUndelegationRequest = pdaOf('undelegation-request');
/** Derives a validator's fees vault, which admits the validator. Seeds "v-fees-vault", validator. */
export const deriveValidatorFeesVault = pdaOf('v-fees-vault');
/** Derives the vault that pays a validator on the rollup. Seeds "magic-fee-vault", validator. */
export const deriveMagicFeeVault = pdaOf('magic-fee-vault');
/** Derives a program's configuration. Seeds "p-conf", program. */
export const deriveProgramConfig = pdaOf('p-conf');

/** Derives the protocol's fees vault. Seed "fees-vault". */
export const deriveFeesVault = (): Pda => findPda([FEES_VAULT_SEED], DELEGATION_PROGRAM);

/** Derives an authority's escrow on the rollup. Seeds "balance", authority, index u8. */
export const deriveEphemeralBalance = (authority: Address, index: number): Pda =>
  findPda([BALANCE_SEED, authority, Uint8Array.of(index)], DELEGATION_PROGRAM);

/** Derives the buffer for an account's data during delegation, a PDA of the account's owner program. */
export const deriveDelegateBuffer = (account: Address, ownerProgram: Address): Pda =>
  findPda([BUFFER_SEED, account], ownerProgram);
