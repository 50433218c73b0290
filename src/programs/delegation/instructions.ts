import { addressBytes, type Address } from '../../solana/address.ts';
import { readonly, writable, writableSigner, type Instruction } from '../../solana/instruction.ts';
import { DELEGATION_PROGRAM, SYSTEM_PROGRAM } from '../addresses.ts';
import type { DelegationAccounts } from '../ephemeral-token/layout-a.ts';
import { concat, option, u32, u64, u8, vec } from '../instruction-data.ts';

/** Instructions of the delegation program that users and owner programs send. The first u64 names the instruction. */

/** Commit frequency (ms) that stands for "when asked to", as the MagicBlock SDK passes it. */
const COMMIT_ON_REQUEST = 0xffff_ffff;

/**
 * `Delegate` (0): hands `account` over to a validator. It has to sign, so that only its owner program can call this.
 * `seeds` are those the account is derived from, none for an account with a key; without `validator` the delegation
 * program falls back on its own default.
 */
export function delegate(
  accounts: { payer: Address; account: Address; ownerProgram: Address; delegation: DelegationAccounts },
  seeds: readonly Uint8Array[],
  validator: Address | null,
): Instruction {
  const { buffer, record, metadata } = accounts.delegation;
  return {
    programId: DELEGATION_PROGRAM,
    accounts: [
      writableSigner(accounts.payer),
      writableSigner(accounts.account),
      readonly(accounts.ownerProgram),
      writable(buffer),
      writable(record),
      writable(metadata),
      readonly(SYSTEM_PROGRAM),
    ],
    data: concat(
      u64(0n),
      u32(COMMIT_ON_REQUEST),
      vec(seeds.map((seed) => concat(u32(seed.length), seed))),
      option(validator === null ? null : addressBytes(validator)),
    ),
  };
}

/** `TopUpEphemeralBalance` (9): puts lamports into the authority's escrow of that `index` (u8), which it is derived by. */
export function topUpEscrow(
  accounts: { payer: Address; authority: Address; escrow: Address },
  lamports: bigint,
  index: number,
): Instruction {
  return {
    programId: DELEGATION_PROGRAM,
    accounts: [
      writableSigner(accounts.payer),
      readonly(accounts.authority),
      writable(accounts.escrow),
      readonly(SYSTEM_PROGRAM),
    ],
    data: concat(u64(9n), u64(lamports), u8(index)),
  };
}
