import { TOKEN_PROGRAM } from '../addresses.ts';
import { optional, readonly, signer, writable } from '../instruction-table/account-spec.ts';
import { address, constant, optionalAddress, u64, u8 } from '../instruction-table/field-codec.ts';
import { instructionTable, type ProgramSpec } from '../instruction-table/instruction-spec.ts';

/** The SPL Token program. Token-2022 has the same instructions at its own address. */
export const SPL_TOKEN: ProgramSpec = { address: TOKEN_PROGRAM, name: 'SPL Token', tagBytes: 1 };

/** Cosigners that follow a multisig authority. */
const more = 'cosigner';

const transferAccounts = [writable('source'), writable('destination'), signer('authority')] as const;
const checkedTransferAccounts = [
  writable('source'),
  readonly('mint'),
  writable('destination'),
  signer('authority'),
] as const;
const mintAccounts = [writable('mint'), writable('destination'), signer('authority')] as const;
const burnAccounts = [writable('source'), writable('mint'), signer('authority')] as const;
const freezeAccounts = [writable('account'), readonly('mint'), signer('authority')] as const;

const amount = { amount: u64 } as const;
const checkedAmount = { amount: u64, decimals: u8 } as const;

/** Instructions of SPL Token (`TokenInstruction` of `spl-token-interface`) that payments may use. */
export const TOKEN_TABLE = instructionTable(SPL_TOKEN, {
  initializeAccount: {
    tag: 1,
    accounts: [writable('account'), readonly('mint'), readonly('owner'), readonly('rentSysvar')],
  },
  transfer: { tag: 3, accounts: transferAccounts, more, fields: amount },
  approve: {
    tag: 4,
    accounts: [writable('source'), readonly('delegate'), signer('authority')],
    more,
    fields: amount,
    shownAs: { authority: 'owner' },
  },
  revoke: {
    tag: 5,
    accounts: [writable('source'), signer('authority')],
    more,
    shownAs: { authority: 'owner' },
  },
  setAuthority: {
    tag: 6,
    accounts: [writable('account'), signer('authority')],
    more,
    fields: { authorityType: u8, newAuthority: optionalAddress },
  },
  mintTo: {
    tag: 7,
    accounts: mintAccounts,
    more,
    fields: amount,
    shownAs: { destination: 'account', authority: 'mintAuthority' },
  },
  burn: { tag: 8, accounts: burnAccounts, more, fields: amount, shownAs: { source: 'account' } },
  closeAccount: {
    tag: 9,
    accounts: [writable('account'), writable('destination'), signer('authority')],
    more,
    shownAs: { authority: 'owner' },
  },
  freezeAccount: { tag: 10, accounts: freezeAccounts, more, shownAs: { authority: 'freezeAuthority' } },
  thawAccount: { tag: 11, accounts: freezeAccounts, more, shownAs: { authority: 'freezeAuthority' } },
  transferChecked: { tag: 12, accounts: checkedTransferAccounts, more, fields: checkedAmount },
  approveChecked: {
    tag: 13,
    accounts: [writable('source'), readonly('mint'), readonly('delegate'), signer('authority')],
    more,
    fields: checkedAmount,
    shownAs: { authority: 'owner' },
  },
  mintToChecked: {
    tag: 14,
    accounts: mintAccounts,
    more,
    fields: checkedAmount,
    shownAs: { destination: 'account', authority: 'mintAuthority' },
  },
  burnChecked: {
    tag: 15,
    accounts: burnAccounts,
    more,
    fields: checkedAmount,
    shownAs: { source: 'account' },
  },
  initializeAccount2: {
    tag: 16,
    accounts: [writable('account'), readonly('mint'), readonly('rentSysvar')],
    fields: { owner: address },
  },
  syncNative: {
    tag: 17,
    accounts: [writable('account'), optional(readonly('rentSysvar'))],
    shownAs: { rentSysvar: null },
  },
  initializeAccount3: {
    tag: 18,
    accounts: [writable('account'), readonly('mint')],
    fields: { owner: address },
  },
});

/** Instructions of Token-2022's transfer fee extension (`TransferFeeInstruction`) that payments may use. */
export const TRANSFER_FEE_TABLE = instructionTable(SPL_TOKEN, {
  transferCheckedWithFee: {
    tag: 26,
    accounts: checkedTransferAccounts,
    more,
    fields: { extensionTag: constant(1), ...checkedAmount, fee: u64 },
  },
});
