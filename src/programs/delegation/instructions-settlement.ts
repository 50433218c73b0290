import type { Address } from '../../solana/address.ts';
import { readonly, writable, writableSigner, type Instruction } from '../../solana/instruction.ts';
import { DELEGATION_PROGRAM, SYSTEM_PROGRAM } from '../addresses.ts';
import { concat, u32, u64, u8 } from '../instruction-data.ts';

/**
 * Instructions of the delegation program by which a validator brings the rollup's state of an account back to base:
 * commit, finalize and, when the owner asked for it, undelegate. The first u64 names the instruction.
 */

/** What all three name. Everything but the validator's vault belongs to the delegated account. */
export interface SettlementAccounts {
  readonly validator: Address;
  readonly account: Address;
  readonly commitState: Address;
  readonly commitRecord: Address;
  readonly record: Address;
  readonly metadata: Address;
  readonly validatorFeesVault: Address;
}

/** The state a validator commits to. */
export interface Commit {
  /** One more than the nonce in the delegation metadata. */
  readonly nonce: bigint;
  /** Lamports of the account; as in the delegation record, unless lamports are to move. */
  readonly lamports: bigint;
  /** Whether the account may be undelegated afterwards. No further commit is taken then. */
  readonly allowUndelegation: boolean;
  readonly data: Uint8Array;
}

/** `CommitState` (1): writes the new state down beside the account. `programConfig` is that of the owner program. */
export function commitState(
  accounts: SettlementAccounts & { readonly programConfig: Address },
  commit: Commit,
): Instruction {
  return {
    programId: DELEGATION_PROGRAM,
    accounts: [
      writableSigner(accounts.validator),
      readonly(accounts.account),
      writable(accounts.commitState),
      writable(accounts.commitRecord),
      readonly(accounts.record),
      writable(accounts.metadata),
      readonly(accounts.validatorFeesVault),
      readonly(accounts.programConfig),
      readonly(SYSTEM_PROGRAM),
    ],
    data: concat(
      u64(1n),
      u64(commit.nonce),
      u64(commit.lamports),
      u8(commit.allowUndelegation ? 1 : 0),
      u32(commit.data.length),
      commit.data,
    ),
  };
}

/** `Finalize` (2): makes the committed state the account's own. */
export function finalizeCommit(accounts: SettlementAccounts): Instruction {
  return {
    programId: DELEGATION_PROGRAM,
    accounts: [
      writableSigner(accounts.validator),
      writable(accounts.account),
      writable(accounts.commitState),
      writable(accounts.commitRecord),
      writable(accounts.record),
      writable(accounts.metadata),
      writable(accounts.validatorFeesVault),
      readonly(SYSTEM_PROGRAM),
    ],
    data: u64(2n),
  };
}

/**
 * `Undelegate` (3): gives the account back to its owner program and the rents to `rentPayer` (from the delegation
 * metadata), less the fees. Takes a finalized commit that allowed it, and none pending.
 */
export function undelegate(
  accounts: SettlementAccounts & {
    readonly ownerProgram: Address;
    readonly undelegateBuffer: Address;
    readonly rentPayer: Address;
    readonly feesVault: Address;
  },
): Instruction {
  return {
    programId: DELEGATION_PROGRAM,
    accounts: [
      writableSigner(accounts.validator),
      writable(accounts.account),
      readonly(accounts.ownerProgram),
      writable(accounts.undelegateBuffer),
      readonly(accounts.commitState),
      readonly(accounts.commitRecord),
      writable(accounts.record),
      writable(accounts.metadata),
      writable(accounts.rentPayer),
      writable(accounts.feesVault),
      writable(accounts.validatorFeesVault),
      readonly(SYSTEM_PROGRAM),
    ],
    data: u64(3n),
  };
}
