import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { concat, u32, vec } from '../instruction-data.ts';
import { encode, type AccountsOf } from '../instruction-table/encode.ts';
import { DELEGATION_TABLE } from './table.ts';

/** Instructions of the delegation program that users and owner programs send. */

/** Commit frequency (ms) that stands for "when asked to", as the MagicBlock SDK passes it. */
const COMMIT_ON_REQUEST = 0xffff_ffff;

/**
 * Hands `account` over to a validator. It has to sign, so that only its owner program can call this. `seeds` are those
 * the account is derived from, none for an account with a key; without `validator` the delegation program falls back on
 * its own default.
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

/** Puts lamports into the authority's escrow of that `index` (u8), which it is derived by. */
export const topUpEscrow = (
  accounts: AccountsOf<typeof DELEGATION_TABLE.topUpEscrow>,
  lamports: bigint,
  index: number,
): Instruction => encode(DELEGATION_TABLE.topUpEscrow, accounts, { lamports, index });
