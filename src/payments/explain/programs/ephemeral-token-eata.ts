import { TAG } from '../../../programs/ephemeral-token/layout-b/call.ts';
import { VAULT_BYTES_B } from '../../../programs/ephemeral-token/layout-b/account-sizes.ts';
import { EATA_BYTES_A, EATA_BYTES_B, VAULT_BYTES_A } from '../../../programs/ephemeral-token/state.ts';
import { rentExemptMinimum } from '../../../solana/rent.ts';
import type { Effect } from '../effects.ts';
import type { FieldSpec } from '../field-reader.ts';
import type { Form } from '../form.ts';
import { creationEffects, tokenEffect, transferEffect, type Reading } from '../reading.ts';
import { ataRent } from './ata-rent.ts';
import { delegationEffects, permissionEffects, toValidator } from './delegation.ts';
import { validatorFindings } from './validator-findings.ts';

/** Roles of the five accounts a subject is delegated through, in the program's order. */
export const delegatedThrough = (subject: string) =>
  [
    'ephemeralTokenProgram',
    `${subject}Buffer`,
    `${subject}Record`,
    `${subject}Metadata`,
    'delegationProgram',
  ] as const;

/** Forms of both layouts that differ in the bump that layout A has first (after `before`). */
function bothLayouts(form: Form, bump: string, before = 0): Form[] {
  const fields: FieldSpec[] = [...form.fields];
  fields.splice(before, 0, [bump, 'u8']);
  return [
    { ...form, layout: 'b' },
    { ...form, layout: 'a', fields },
  ];
}

const hasBump = (r: Reading, bump: string): boolean => r.has(bump);

const ofOwner = (r: Reading): string => {
  const owner = r.account('owner') ?? r.ownerOf('eata');
  return owner === null ? `${r.name('eata')}` : `${r.name('eata')} of ${owner}`;
};

/** Tokens between an owner's ATA and the vault, mirrored in the owner's private balance. */
function vaultEffects(r: Reading, amount: bigint): Effect[] {
  const mint = r.account('mint');
  return [
    transferEffect(r, 'ownerAta', -amount, { mint, owner: r.account('owner'), location: 'base' }),
    transferEffect(r, 'vaultAta', amount, {
      mint,
      owner: r.account('vault'),
      location: 'base',
      held: 'vault',
    }),
    tokenEffect(r, 'eata', amount, { mint, owner: r.ownerOf('eata'), location: 'ephemeral' }),
  ];
}

const initEata: Form = {
  tag: TAG.initEata,
  action: 'initEata',
  accounts: ['eata', 'payer', 'owner', 'mint', 'systemProgram'],
  fields: [],
  say: (r) =>
    `${r.name('payer')} pays for the ephemeral token account (eATA) ${ofOwner(r)} for mint ${r.name('mint')}, unless it exists`,
  effects: (r) =>
    creationEffects(
      r,
      'eata',
      'ephemeral token account',
      rentExemptMinimum(hasBump(r, 'eataBump') ? EATA_BYTES_A : EATA_BYTES_B),
    ),
};

const sayInitVault = (r: Reading): string =>
  `${r.name('payer')} pays for the vault ${r.name('vault')} of mint ${r.name('mint')}, unless it exists`;

const initVaultA: Form = {
  layout: 'a',
  tag: TAG.initVault,
  action: 'initVault',
  accounts: ['vault', 'payer', 'mint', 'vaultAta', 'tokenProgram', 'ataProgram', 'systemProgram'],
  fields: [['vaultBump', 'u8']],
  say: sayInitVault,
  effects: (r) => creationEffects(r, 'vault', 'vault', rentExemptMinimum(VAULT_BYTES_A)),
};

const initVaultB: Form = {
  layout: 'b',
  tag: TAG.initVault,
  action: 'initVault',
  accounts: [
    'vault',
    'payer',
    'mint',
    'vaultEata',
    'vaultAta',
    'tokenProgram',
    'ataProgram',
    'systemProgram',
  ],
  fields: [],
  say: sayInitVault,
  effects: (r) => [
    ...creationEffects(r, 'vault', 'vault', rentExemptMinimum(VAULT_BYTES_B)),
    ...creationEffects(
      r,
      'vaultEata',
      'ephemeral token account of the vault',
      rentExemptMinimum(EATA_BYTES_B),
    ),
    ...creationEffects(r, 'vaultAta', 'token account of the vault', ataRent(r)),
  ],
};

const deposit: Form = {
  tag: TAG.deposit,
  action: 'deposit',
  accounts: ['eata', 'vault', 'mint', 'ownerAta', 'vaultAta', 'owner', 'tokenProgram'],
  fields: [['amount', 'u64']],
  say: (r) =>
    `${r.name('owner')} deposits ${r.tokens('amount', r.account('mint'))} from token account ${r.name('ownerAta')} into the vault; eATA ${r.name('eata')} is credited`,
  effects: (r) => vaultEffects(r, r.amount('amount')),
};

const withdraw: Form = {
  tag: TAG.withdraw,
  action: 'withdraw',
  accounts: ['owner', 'eata', 'vault', 'mint', 'vaultAta', 'ownerAta', 'tokenProgram'],
  fields: [['amount', 'u64']],
  say: (r) =>
    `${r.name('owner')} withdraws ${r.tokens('amount', r.account('mint'))} from the vault to token account ${r.name('ownerAta')}; eATA ${r.name('eata')} is debited`,
  effects: (r) => vaultEffects(r, -r.amount('amount')),
};

const delegateEata: Form = {
  tag: TAG.delegateEata,
  action: 'delegateEata',
  accounts: ['payer', 'eata', ...delegatedThrough('eata'), 'systemProgram'],
  fields: [['validator?', 'address']],
  say: (r) => `eATA ${ofOwner(r)} is handed over to ${toValidator(r.address('validator'))}`,
  effects: (r) => delegationEffects(r, 'eata'),
  findings: (r) => validatorFindings(r, r.address('validator')),
};

const undelegateAccounts = ['owner', 'ownerAta', 'eata', 'magicContext', 'magicProgram'] as const;

const undelegateEata: Form = {
  tag: TAG.undelegateEata,
  action: 'undelegateEata',
  accounts: undelegateAccounts,
  fields: [],
  say: (r) =>
    `${r.name('owner')} asks the rollup to settle eATA ${r.name('eata')} and to give it back on the base ledger`,
};

const createPermission: Form = {
  tag: TAG.createPermission,
  action: 'createEataPermission',
  accounts: ['eata', 'permission', 'payer', 'systemProgram', 'permissionProgram'],
  fields: [['flags', 'u8']],
  say: (r) =>
    `Reading eATA ${ofOwner(r)} on the rollup is reserved to its owner (flags ${r.number('flags')}), unless that is so already`,
  effects: (r) => permissionEffects(r, 'permission'),
};

const delegatePermission: Form = {
  tag: TAG.delegatePermission,
  action: 'delegateEataPermission',
  accounts: [
    'payer',
    'eata',
    'permissionProgram',
    'permission',
    'systemProgram',
    'permissionBuffer',
    'permissionRecord',
    'permissionMetadata',
    'delegationProgram',
    'validator',
  ],
  fields: [],
  say: (r) =>
    `The permission ${r.name('permission')} of eATA ${r.name('eata')} is handed over to validator ${r.name('validator')}`,
  effects: (r) => delegationEffects(r, 'permission', [11, 32]),
  findings: (r) => validatorFindings(r, r.account('validator')),
};

const undelegatePermission: Form = {
  tag: TAG.undelegatePermission,
  action: 'undelegateEataPermission',
  accounts: ['owner', 'eata', 'permission', 'permissionProgram', 'magicProgram', 'magicContext'],
  fields: [],
  say: (r) =>
    `${r.name('owner')} asks the rollup to give the permission ${r.name('permission')} of eATA ${r.name('eata')} back`,
};

const resetPermission: Form = {
  tag: TAG.resetPermission,
  action: 'resetEataPermission',
  accounts: ['eata', 'permission', 'owner', 'permissionProgram'],
  fields: [['flags', 'u8']],
  say: (r) => `${r.name('owner')} sets who may read eATA ${r.name('eata')} anew (flags ${r.number('flags')})`,
};

/** Tags 0 to 9: vaults, eATAs and their permissions. */
export const eataForms: readonly Form[] = [
  ...bothLayouts(initEata, 'eataBump'),
  initVaultA,
  initVaultB,
  deposit,
  ...bothLayouts(withdraw, 'vaultBump', 1),
  ...bothLayouts(delegateEata, 'eataBump'),
  undelegateEata,
  {
    ...undelegateEata,
    accounts: [...undelegateAccounts, 'magicFeeVault'],
    fields: [['validator', 'address']],
  },
  ...bothLayouts(createPermission, 'eataBump'),
  ...bothLayouts(delegatePermission, 'eataBump'),
  undelegatePermission,
  ...bothLayouts(resetPermission, 'eataBump'),
];
