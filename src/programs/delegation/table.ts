import { DELEGATION_PROGRAM } from '../addresses.ts';
import { optional, readonly, signer, writable, writableSigner } from '../instruction-table/account-spec.ts';
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
  /** Like `delegate`; the record is followed by instructions for the validator. Their signers sign here. */
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
  /**
   * By the owner program, which signs for its account: requests the account from its validator, with a
   * timeout.
   */
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
  /** By the owner program after the timeout: reclaims its account without the validator. */
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
