import { readonly, signer, writable, writableSigner } from '../../instruction-table/account-spec.ts';
import { address, atEnd, u64, u8 } from '../../instruction-table/field-codec.ts';
import { instructionTable } from '../../instruction-table/instruction-spec.ts';
import { delegatedThrough, EPHEMERAL_TOKEN } from './program.ts';

const undelegateEataAccounts = [
  signer('owner'),
  writable('ownerAta'),
  readonly('eata'),
  writable('magicContext'),
  readonly('magicProgram'),
] as const;

/** Tags 0 to 9: vaults, eATAs and their permissions. Entries without a layout apply to both layouts. */
export const EATA_TABLE = instructionTable(EPHEMERAL_TOKEN, {
  /** Creates an eATA; does nothing if it exists. */
  initEata: {
    tag: 0,
    layout: 'b',
    accounts: [
      writable('eata'),
      writableSigner('payer'),
      readonly('owner'),
      readonly('mint'),
      readonly('systemProgram'),
    ],
  },
  /** Creates the vault of a mint, on layout B with its eATA and ATA; does nothing if it exists. */
  initVault: {
    tag: 1,
    layout: 'b',
    accounts: [
      writable('vault'),
      writableSigner('payer'),
      readonly('mint'),
      writable('vaultEata'),
      writable('vaultAta'),
      readonly('tokenProgram'),
      readonly('ataProgram'),
      readonly('systemProgram'),
    ],
  },
  /** Moves tokens from the owner's ATA into the vault and credits the eATA. */
  deposit: {
    tag: 2,
    accounts: [
      writable('eata'),
      readonly('vault'),
      readonly('mint'),
      writable('ownerAta'),
      writable('vaultAta'),
      signer('owner'),
      readonly('tokenProgram'),
    ],
    fields: { amount: u64 },
  },
  /** Moves tokens from the vault to the owner's ATA and debits the eATA, which must not be delegated. */
  withdraw: {
    tag: 3,
    layout: 'b',
    accounts: [
      signer('owner'),
      writable('eata'),
      readonly('vault'),
      readonly('mint'),
      writable('vaultAta'),
      writable('ownerAta'),
      readonly('tokenProgram'),
    ],
    fields: { amount: u64 },
  },
  /**
   * Delegates an eATA. Pass a validator, because the delegation program otherwise uses its own default. On
   * layout B, the call does nothing if that validator already has the eATA, and fails (custom 7) if another
   * has it.
   */
  delegateEata: {
    tag: 4,
    layout: 'b',
    accounts: [
      writableSigner('payer'),
      writable('eata'),
      ...delegatedThrough('eata'),
      readonly('systemProgram'),
    ],
    fields: { validator: atEnd(address) },
  },
  /** Requests on the rollup that the eATA be settled and undelegated. */
  undelegateEata: { tag: 5, accounts: undelegateEataAccounts },
  /** Undelegates the eATA of an owner whose wallet is delegated, like `undelegateEata`. */
  undelegateEataOfDelegated: {
    tag: 5,
    name: 'undelegateEata',
    accounts: [...undelegateEataAccounts, writable('magicFeeVault')],
    fields: { validator: address },
  },
  /** Creates a permission. If the payer is not the owner, flags must be 0. */
  createPermission: {
    tag: 6,
    name: 'createEataPermission',
    layout: 'b',
    accounts: [
      writable('eata'),
      writable('permission'),
      writableSigner('payer'),
      readonly('systemProgram'),
      readonly('permissionProgram'),
    ],
    fields: { flags: u8 },
  },
  delegatePermission: {
    tag: 7,
    name: 'delegateEataPermission',
    layout: 'b',
    accounts: [
      writableSigner('payer'),
      writable('eata'),
      readonly('permissionProgram'),
      writable('permission'),
      readonly('systemProgram'),
      writable('permissionBuffer', 'delegation.buffer'),
      writable('permissionRecord', 'delegation.record'),
      writable('permissionMetadata', 'delegation.metadata'),
      readonly('delegationProgram'),
      readonly('validator'),
    ],
  },
  undelegatePermission: {
    tag: 8,
    name: 'undelegateEataPermission',
    accounts: [
      signer('owner'),
      writable('eata'),
      writable('permission'),
      readonly('permissionProgram'),
      readonly('magicProgram'),
      writable('magicContext'),
    ],
  },
  resetPermission: {
    tag: 9,
    name: 'resetEataPermission',
    layout: 'b',
    accounts: [readonly('eata'), writable('permission'), signer('owner'), readonly('permissionProgram')],
    fields: { flags: u8 },
  },
});

const { initEata, withdraw, delegateEata, createPermission, delegatePermission, resetPermission } =
  EATA_TABLE;

/** The instructions of layout A that differ: they carry a bump, and the vault has no eATA. */
export const EATA_TABLE_A = instructionTable(EPHEMERAL_TOKEN, {
  initEata: { ...initEata, layout: 'a', fields: { eataBump: u8 } },
  initVault: {
    tag: 1,
    layout: 'a',
    accounts: [
      writable('vault'),
      writableSigner('payer'),
      readonly('mint'),
      writable('vaultAta'),
      readonly('tokenProgram'),
      readonly('ataProgram'),
      readonly('systemProgram'),
    ],
    fields: { vaultBump: u8 },
  },
  withdraw: { ...withdraw, layout: 'a', fields: { ...withdraw.fields, vaultBump: u8 } },
  delegateEata: { ...delegateEata, layout: 'a', fields: { eataBump: u8, ...delegateEata.fields } },
  createPermission: {
    ...createPermission,
    layout: 'a',
    fields: { eataBump: u8, ...createPermission.fields },
  },
  delegatePermission: { ...delegatePermission, layout: 'a', fields: { eataBump: u8 } },
  resetPermission: { ...resetPermission, layout: 'a', fields: { eataBump: u8, ...resetPermission.fields } },
});
