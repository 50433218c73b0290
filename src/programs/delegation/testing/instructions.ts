import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/instruction.ts';
import { concat, u32, vec } from '../../instruction-data.ts';
import { type AccountsOf, encode } from '../../instruction-table/encode.ts';
import { DELEGATION_TABLE } from '../table.ts';

/** The commit frequency (ms) that means "on request", as the MagicBlock SDK passes it. */
export const COMMIT_ON_REQUEST = 0xffff_ffff;

/**
 * Delegates `account` to a validator. The account signs, so only its owner program can make this call.
 *
 * @param seeds the seeds the account is derived from; empty for an account with a key.
 * @param validator if absent, the delegation program uses its own default.
 */
export const delegate = (
  accounts: AccountsOf<typeof DELEGATION_TABLE.delegate>,
  seeds: readonly Uint8Array[],
  validator: Address | null,
): Instruction =>
  encode(DELEGATION_TABLE.delegate, accounts, {
    commitFrequencyMs: COMMIT_ON_REQUEST,
    seeds: vec(seeds.map((seed) => concat(u32(seed.length), seed))),
    validator,
  });

/** Adds lamports to the authority's escrow with that `index` (u8, a seed of the escrow). */
export const topUpEscrow = (
  accounts: AccountsOf<typeof DELEGATION_TABLE.topUpEscrow>,
  lamports: bigint,
  index: number,
): Instruction => encode(DELEGATION_TABLE.topUpEscrow, accounts, { lamports, index });

/**
 * Asks the validator of `account` to return it, with a timeout of {@link UNDELEGATION_TIMEOUT_SLOTS}. The
 * account must sign, so only its owner program can call this. The payer is the wallet that paid for the
 * delegation. Does nothing if a request already exists.
 */
export const requestUndelegation = (
  accounts: AccountsOf<typeof DELEGATION_TABLE.requestUndelegation>,
): Instruction => encode(DELEGATION_TABLE.requestUndelegation, accounts);

/**
 * Reclaims `account` without its validator after the timeout. The account comes back empty, so the owner
 * program, the only possible caller, must restore its data in the same call.
 */
export const rollBackUndelegation = (
  accounts: AccountsOf<typeof DELEGATION_TABLE.rollBackUndelegation>,
): Instruction => encode(DELEGATION_TABLE.rollBackUndelegation, accounts);
