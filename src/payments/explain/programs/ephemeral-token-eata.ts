import {
  EATA_BYTES_A,
  EATA_BYTES_B,
  VAULT_BYTES_A,
  VAULT_BYTES_B,
} from '../../../programs/ephemeral-token/state.ts';
import { EATA_TABLE, EATA_TABLE_A } from '../../../programs/ephemeral-token/table/eata.ts';
import { type Form, formsOf, type Meaning } from '../call.ts';
import type { Effect } from '../effects.ts';
import { creationEffects, type Reading, tokenEffect, transferEffect } from '../reading.ts';
import { ataRent } from './account-lamports.ts';
import { settlementRequested, validatorFindings } from './common-findings.ts';
import { delegationEffects, permissionEffects, toValidator } from './delegation.ts';

const ofOwner = (r: Reading): string => {
  const owner = r.account('owner') ?? r.ownerOf('eata');
  return owner === null ? `${r.name('eata')}` : `${r.name('eata')} of ${owner}`;
};

/** Tokens between an owner's ATA and the vault, mirrored in the private balance. */
function vaultEffects(r: Reading, amount: bigint): Effect[] {
  const mint = r.account('mint');
  const isDelegatedHere = r.scene.delegated.has(r.account('eata'));
  return [
    transferEffect(r, 'ownerAta', -amount, { mint, owner: r.account('owner'), location: 'base' }),
    transferEffect(r, 'vaultAta', amount, {
      mint,
      owner: r.account('vault'),
      location: 'base',
      held: 'vault',
    }),
    tokenEffect(r, 'eata', amount, {
      mint,
      owner: r.ownerOf('eata'),
      // Tokens in an eATA are on the rollup only once the eATA is delegated.
      ...(amount > 0n && !isDelegatedHere ? { location: 'base', held: 'eata' } : { location: 'ephemeral' }),
    }),
  ];
}

const initEata: Meaning = {
  say: (r) =>
    `${r.name('payer')} pays for the ephemeral token account (eATA) ${ofOwner(r)} for mint ${r.name('mint')}, unless it exists`,
  effects: (r) =>
    creationEffects(
      r,
      'eata',
      'ephemeral token account',
      r.rent(r.has('eataBump') ? EATA_BYTES_A : EATA_BYTES_B),
    ),
};

const sayInitVault = (r: Reading): string =>
  `${r.name('payer')} pays for the vault ${r.name('vault')} of mint ${r.name('mint')}, unless it exists`;

const initVaultA: Meaning = {
  say: sayInitVault,
  effects: (r) => creationEffects(r, 'vault', 'vault', r.rent(VAULT_BYTES_A)),
};

const initVaultB: Meaning = {
  say: sayInitVault,
  effects: (r) => [
    ...creationEffects(r, 'vault', 'vault', r.rent(VAULT_BYTES_B)),
    ...creationEffects(r, 'vaultEata', 'ephemeral token account of the vault', r.rent(EATA_BYTES_B)),
    ...creationEffects(r, 'vaultAta', 'token account of the vault', ataRent(r)),
  ],
};

const deposit: Meaning = {
  say: (r) =>
    `${r.name('owner')} deposits ${r.tokens('amount', r.account('mint'))} from token account ${r.name('ownerAta')} into the vault; eATA ${r.name('eata')} is credited`,
  effects: (r) => vaultEffects(r, r.amount('amount')),
};

const withdraw: Meaning = {
  say: (r) =>
    `${r.name('owner')} withdraws ${r.tokens('amount', r.account('mint'))} from the vault to token account ${r.name('ownerAta')}; eATA ${r.name('eata')} is debited`,
  effects: (r) => vaultEffects(r, -r.amount('amount')),
};

const delegateEata: Meaning = {
  say: (r) => `eATA ${ofOwner(r)} is delegated to ${toValidator(r.address('validator'))}`,
  effects: (r) => delegationEffects(r, 'eata'),
  findings: (r) => validatorFindings(r, r.address('validator')),
};

const undelegateEata: Meaning = {
  say: (r) =>
    `${r.name('owner')} asks the rollup to settle eATA ${r.name('eata')} and to return it to the base ledger`,
  findings: () => [settlementRequested(true)],
};

const createPermission: Meaning = {
  say: (r) =>
    `Reading eATA ${ofOwner(r)} on the rollup is reserved to its owner (flags ${r.number('flags')}), unless that is so already`,
  effects: (r) => permissionEffects(r, 'permission'),
};

const delegatePermission: Meaning = {
  say: (r) =>
    `The permission ${r.name('permission')} of eATA ${r.name('eata')} is delegated to validator ${r.name('validator')}`,
  effects: (r) => delegationEffects(r, 'permission', [11, 32]),
  findings: (r) => validatorFindings(r, r.account('validator')),
};

const undelegatePermission: Meaning = {
  say: (r) =>
    `${r.name('owner')} asks the rollup to return the permission ${r.name('permission')} of eATA ${r.name('eata')}`,
};

const resetPermission: Meaning = {
  say: (r) => `${r.name('owner')} resets the readers of eATA ${r.name('eata')} (flags ${r.number('flags')})`,
};

/** The same in both layouts, except for the bumps of layout A. */
const shared = {
  initEata,
  withdraw,
  delegateEata,
  createPermission,
  delegatePermission,
  resetPermission,
};

/** Vaults, eATAs and their permissions. */
export const eataForms: readonly Form[] = [
  ...formsOf(EATA_TABLE_A, { ...shared, initVault: initVaultA }),
  ...formsOf(EATA_TABLE, {
    ...shared,
    initVault: initVaultB,
    deposit,
    undelegateEata,
    undelegateEataOfDelegated: undelegateEata,
    undelegatePermission,
  }),
];
