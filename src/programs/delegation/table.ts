import type { AccountMeta, Instruction } from '../../solana/instruction.ts';
import { DELEGATION_PROGRAM } from '../addresses.ts';
import { optional, readonly, signer, writable, writableSigner } from '../instruction-table/account-spec.ts';
import { type AccountsOf, encode } from '../instruction-table/encode.ts';
import { optionalAddress, rest, seeds, u32, u64, u8 } from '../instruction-table/field-codec.ts';
import { instructionTable, type ProgramSpec } from '../instruction-table/instruction-spec.ts';

export const DELEGATION: ProgramSpec = {
  address: DELEGATION_PROGRAM,
  name: 'delegation program',
  tagBytes: 8,
};

/** Instructions of the delegation program that users, owner programs and validators send. */
export const DELEGATION_TABLE = instructionTable(DELEGATION, {
  delegate: {
    tag: 0,
    accounts: [
      writableSigner('payer'),
      writableSigner('account'),
      readonly('ownerProgram'),
      writable('accountBuffer', 'delegation.buffer'),
      writable('accountRecord', 'delegation.record'),
      writable('accountMetadata', 'delegation.metadata'),
      readonly('systemProgram'),
    ],
    fields: { commitFrequencyMs: u32, seeds, validator: optionalAddress },
  },
  commitState: {
    tag: 1,
    accounts: [
      writableSigner('validator'),
      readonly('account'),
      writable('commitState'),
      writable('commitRecord'),
      readonly('accountRecord', 'record'),
      writable('accountMetadata', 'metadata'),
      readonly('validatorFeesVault'),
      readonly('programConfig'),
      readonly('systemProgram'),
    ],
    fields: { nonce: u64, lamports: u64, allowUndelegation: u8, dataBytes: u32, data: rest },
  },
  /** Applies the committed state to the account. */
  finalizeCommit: {
    tag: 2,
    accounts: [
      writableSigner('validator'),
      writable('account'),
      writable('commitState'),
      writable('commitRecord'),
      writable('accountRecord', 'record'),
      writable('accountMetadata', 'metadata'),
      writable('validatorFeesVault'),
      readonly('systemProgram'),
    ],
  },
  /**
   * Returns the account to its owner program, and the rent, less fees, to `rentPayer` of the delegation
   * metadata. Requires a finalized commit that allowed this, and no pending commit.
   */
  undelegate: {
    tag: 3,
    accounts: [
      writableSigner('validator'),
      writable('account'),
      readonly('ownerProgram'),
      writable('undelegateBuffer'),
      readonly('commitState'),
      readonly('commitRecord'),
      writable('accountRecord', 'record'),
      writable('accountMetadata', 'metadata'),
      writable('rentPayer'),
      writable('feesVault'),
      writable('validatorFeesVault'),
      readonly('systemProgram'),
    ],
  },
  topUpEscrow: {
    tag: 9,
    accounts: [writableSigner('payer'), readonly('authority'), writable('escrow'), readonly('systemProgram')],
    fields: { lamports: u64, index: u8 },
  },
  /** `call_handler_v2`: runs a program as requested on the rollup. */
  callHandler: {
    tag: 20,
    accounts: [
      writableSigner('validator'),
      writable('validatorFeesVault'),
      readonly('destinationProgram'),
      readonly('sourceProgram'),
      writable('escrowAuthority'),
      writable('escrow'),
    ],
    more: 'handed',
    fields: { escrowIndex: u8, dataBytes: u32, data: rest },
  },
  closeEscrow: {
    tag: 11,
    accounts: [signer('authority'), writable('escrow'), optional(readonly('systemProgram'))],
    fields: { index: u8 },
  },
  /**
   * Stores instructions for the validator in addition to what `delegate` does. Their signers sign this call.
   */
  delegateWithActions: {
    tag: 23,
    accounts: [
      writableSigner('payer'),
      writableSigner('account'),
      readonly('ownerProgram'),
      writable('accountBuffer', 'delegation.buffer'),
      writable('accountRecord', 'delegation.record'),
      writable('accountMetadata', 'delegation.metadata'),
      readonly('systemProgram'),
    ],
    more: 'actionSigner',
    fields: { commitFrequencyMs: u32, seeds, validator: optionalAddress, actions: rest },
  },
  initMagicFeeVault: {
    tag: 24,
    accounts: [
      writableSigner('payer'),
      signer('validator'),
      readonly('validatorFeesVault'),
      writable('magicFeeVault'),
      readonly('systemProgram'),
    ],
  },
  delegateMagicFeeVault: {
    tag: 25,
    accounts: [
      writableSigner('payer'),
      signer('validator'),
      readonly('validatorFeesVault'),
      writable('magicFeeVault'),
      writable('magicFeeVaultBuffer', 'delegation.buffer'),
      writable('magicFeeVaultRecord', 'delegation.record'),
      writable('magicFeeVaultMetadata', 'delegation.metadata'),
      readonly('systemProgram'),
      readonly('delegationProgram'),
    ],
  },
  /** Asks the validator to return an account before a timeout. The owner program signs for the account. */
  requestUndelegation: {
    tag: 26,
    accounts: [
      writableSigner('payer'),
      signer('account'),
      readonly('ownerProgram'),
      writable('undelegationRequest'),
      readonly('accountRecord', 'record'),
      writable('accountMetadata', 'metadata'),
      readonly('systemProgram'),
    ],
  },
  /** Reclaims an account without its validator. Only the owner program can call this, after the timeout. */
  rollBackUndelegation: {
    tag: 27,
    accounts: [
      writableSigner('account'),
      readonly('ownerProgram'),
      writable('undelegationRequest'),
      writable('accountRecord', 'record'),
      writable('accountMetadata', 'metadata'),
      writable('rentPayer'),
      writable('commitState'),
      writable('commitRecord'),
      writable('commitPayer'),
    ],
  },
});

/**
 * Accounts of the instructions that settle an account on base. All but the validator's vault are derived from
 * the delegated account.
 */
export type SettlementAccounts = AccountsOf<typeof DELEGATION_TABLE.finalizeCommit>;

/** The state a validator commits. */
export interface Commit {
  /** The nonce in the delegation metadata plus one. */
  readonly nonce: bigint;
  /** Lamports of the account. They equal those in the delegation record unless lamports move. */
  readonly lamports: bigint;
  /** Whether the account may be undelegated afterwards. If so, no further commit is accepted. */
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

/** A call on base that a program requested on the rollup. */
interface HandlerCall {
  /** Index of the authority's escrow that signs the call, u8. */
  readonly escrowIndex: number;
  readonly data: Uint8Array;
  readonly accounts: readonly AccountMeta[];
}

/**
 * Runs a call on base that `sourceProgram` requested on the rollup. After `accounts`, `destinationProgram`
 * receives the accounts of the requester: the source program, the escrow's authority, and the escrow as
 * signer.
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
