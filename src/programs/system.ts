import type { Address } from '../solana/address.ts';
import { viewOf } from '../solana/byte-reader.ts';
import type { Instruction } from '../solana/instruction.ts';
import type { Transaction } from '../solana/transaction.ts';
import { SYSTEM_PROGRAM } from './addresses.ts';
import { optional, readonly, signer, writable, writableSigner } from './instruction-table/account-spec.ts';
import { encode } from './instruction-table/encode.ts';
import { address, text, u64 } from './instruction-table/field-codec.ts';
import { instructionTable, type ProgramSpec } from './instruction-table/instruction-spec.ts';

export const SYSTEM: ProgramSpec = { address: SYSTEM_PROGRAM, name: 'system program', tagBytes: 4 };

/** `SystemInstruction` of `solana-system-interface` in bincode. A seeded account's base signs for it. */
export const SYSTEM_TABLE = instructionTable(SYSTEM, {
  createAccount: {
    tag: 0,
    accounts: [writableSigner('payer'), writableSigner('account')],
    fields: { lamports: u64, space: u64, owner: address },
    shownAs: { payer: 'source', account: 'newAccount' },
  },
  assign: { tag: 1, accounts: [writableSigner('account')], fields: { owner: address } },
  transfer: {
    tag: 2,
    accounts: [writableSigner('source'), writable('destination')],
    fields: { lamports: u64 },
  },
  createAccountWithSeed: {
    tag: 3,
    accounts: [writableSigner('payer'), writable('account'), optional(signer('base'))],
    fields: { base: address, seed: text, lamports: u64, space: u64, owner: address },
    shownAs: { payer: 'source', account: 'newAccount' },
  },
  advanceNonce: {
    tag: 4,
    accounts: [writable('nonceAccount'), readonly('recentBlockhashesSysvar'), signer('authority')],
    shownAs: { authority: 'nonceAuthority' },
  },
  withdrawFromNonce: {
    tag: 5,
    accounts: [
      writable('nonceAccount'),
      writable('destination'),
      readonly('recentBlockhashesSysvar'),
      readonly('rentSysvar'),
      signer('authority'),
    ],
    fields: { lamports: u64 },
    shownAs: { authority: 'nonceAuthority' },
  },
  initializeNonce: {
    tag: 6,
    accounts: [writable('nonceAccount'), readonly('recentBlockhashesSysvar'), readonly('rentSysvar')],
    fields: { authority: address },
    shownAs: { authority: 'nonceAuthority' },
  },
  authorizeNonce: {
    tag: 7,
    accounts: [writable('nonceAccount'), signer('authority')],
    fields: { newAuthority: address },
    shownAs: { authority: 'nonceAuthority', newAuthority: 'newAuthorized' },
  },
  allocate: { tag: 8, accounts: [writableSigner('account')], fields: { space: u64 } },
  allocateWithSeed: {
    tag: 9,
    accounts: [writable('account'), signer('base')],
    fields: { base: address, seed: text, space: u64, owner: address },
  },
  assignWithSeed: {
    tag: 10,
    accounts: [writable('account'), signer('base')],
    fields: { base: address, seed: text, owner: address },
  },
  transferWithSeed: {
    tag: 11,
    accounts: [writable('source'), signer('base'), writable('destination')],
    fields: { lamports: u64, seed: text, owner: address },
    shownAs: { base: 'sourceBase', seed: 'sourceSeed', owner: 'sourceOwner' },
  },
  upgradeNonce: { tag: 12, accounts: [writable('nonceAccount')] },
});

/** Moves lamports between system accounts. */
export const transferLamports = (source: Address, destination: Address, lamports: bigint): Instruction =>
  encode(SYSTEM_TABLE.transfer, { source, destination }, { lamports });

/**
 * Whether a transaction uses a durable nonce, that is, whether its first instruction advances one. Such a
 * transaction is valid until the nonce advances, at any block height.
 */
export function usesDurableNonce({ instructions: [first], staticKeys }: Transaction): boolean {
  return (
    first !== undefined &&
    staticKeys[first.programIdIndex] === SYSTEM_PROGRAM &&
    first.data.length >= 4 &&
    viewOf(first.data).getUint32(0, true) === SYSTEM_TABLE.advanceNonce.tag
  );
}
