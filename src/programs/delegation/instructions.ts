import type { AccountMeta, Instruction } from '../../solana/instruction.ts';
import { type AccountsOf, encode } from '../instruction-table/encode.ts';
import { DELEGATION_TABLE } from './table.ts';

/** Instructions of the delegation program that users and owner programs send. */

/**
 * Instructions of the delegation program with which a validator writes the rollup's state of an account to
 * base: commit, finalize, and undelegate if the owner requested it.
 */

/** The accounts all three share. All but the validator's vault are derived from the delegated account. */
export type SettlementAccounts = AccountsOf<typeof DELEGATION_TABLE.finalizeCommit>;

/** The state a validator commits. */
export interface Commit {
  /** The nonce in the delegation metadata plus one. */
  readonly nonce: bigint;
  /** Lamports of the account: those in the delegation record, unless lamports are to move. */
  readonly lamports: bigint;
  /** Whether the account may be undelegated afterwards. No further commit is then accepted. */
  readonly allowUndelegation: boolean;
  readonly data: Uint8Array;
}

/** Stores the new state next to the account. `programConfig` belongs to the owner program. */
export const commitState = (
  accounts: AccountsOf<typeof DELEGATION_TABLE.commitState>,
  { nonce, lamports, allowUndelegation, data }: Commit,
): Instruction =>
  encode(DELEGATION_TABLE.commitState, accounts, {
    nonce,
    lamports,
    allowUndelegation: allowUndelegation ? 1 : 0,
    dataBytes: data.length,
    data,
  });

/** Applies the committed state to the account. */
export const finalizeCommit = (accounts: SettlementAccounts): Instruction =>
  encode(DELEGATION_TABLE.finalizeCommit, accounts);

/**
 * Returns the account to its owner program, and the rent, less fees, to `rentPayer` of the delegation
 * metadata. Requires a finalized commit that allowed it, and no pending one.
 */
export const undelegate = (accounts: AccountsOf<typeof DELEGATION_TABLE.undelegate>): Instruction =>
  encode(DELEGATION_TABLE.undelegate, accounts);

/** A call of a program on base that another program requested on the rollup. */
export interface HandlerCall {
  /** u8: which escrow of the authority signs for it. */
  readonly escrowIndex: number;
  readonly data: Uint8Array;
  readonly accounts: readonly AccountMeta[];
}

/**
 * Makes `destinationProgram` run on base what `sourceProgram` requested on the rollup. After `accounts` it
 * receives the source program, the escrow's authority, and the escrow as signer, which identify the
 * requester.
 */
export function callHandler(
  accounts: AccountsOf<typeof DELEGATION_TABLE.callHandler>,
  { escrowIndex, data, accounts: handed }: HandlerCall,
): Instruction {
  const call = encode(DELEGATION_TABLE.callHandler, accounts, {
    escrowIndex,
    dataBytes: data.length,
    data,
  });
  return { ...call, accounts: [...call.accounts, ...handed] };
}
