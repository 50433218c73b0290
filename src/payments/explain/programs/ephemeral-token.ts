import { quoted } from '../../../errors/quoted-text.ts';
import {
  SPLIT_ACROSS_KEYS,
  STEALTH_POOL_BYTES,
} from '../../../programs/ephemeral-token/layout-b/stealth-pool.ts';
import {
  QUEUE_ITEMS_DEFAULT,
  transferQueueBytes,
} from '../../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import {
  EATA_BYTES_A,
  EATA_BYTES_B,
  VAULT_BYTES_A,
  VAULT_BYTES_B,
} from '../../../programs/ephemeral-token/state.ts';
import { EATA_TABLE, EATA_TABLE_A } from '../../../programs/ephemeral-token/table/eata.ts';
import { EPHEMERAL_TOKEN } from '../../../programs/ephemeral-token/table/program.ts';
import { QUEUE_TABLE, STEALTH_TABLE } from '../../../programs/ephemeral-token/table/queue.ts';
import type { Rent } from '../../../solana/account.ts';
import { addressOf } from '../../../solana/address.ts';
import { QUEUE_BUFFER_LAMPORTS } from '../../initialize-mint.ts';
import { describeLamports } from '../address-book.ts';
import { type Effect, type Form, formsOf, type KnownProgram, type Meaning } from '../call.ts';
import { creationEffects, lamportEffects, type Reading, tokenEffect, transferEffect } from '../reading.ts';
import { ataRent } from './account-lamports.ts';
import { handleFindings, queueFindings, settlementRequested, validatorFindings } from './common-findings.ts';
import { internalForms, shuttleForms } from './ephemeral-token-shuttle.ts';
import { delegationEffects, permissionEffects, toValidator } from './magicblock-programs.ts';

const ofOwner = (r: Reading): string => {
  const owner = r.account('owner') ?? r.ownerOf('eata');
  return owner === null ? `${r.name('eata')}` : `${r.name('eata')} of ${owner}`;
};

/** Returns the effects of moving tokens between an owner's ATA and the vault, and on the private balance. */
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
      // Tokens in an eATA reach the rollup only after its delegation.
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
    `eATA ${ofOwner(r)} gets a permission (flags ${r.number('flags')}) that lets only its owner read it on the rollup, unless one already exists`,
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

/** Forms that both layouts share, apart from layout A's bumps. */
const shared = {
  initEata,
  withdraw,
  delegateEata,
  createPermission,
  delegatePermission,
  resetPermission,
};

/** Vaults, eATAs and their permissions. */
const eataForms: readonly Form[] = [
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

/** Extra cost of a sponsored lamports transfer, in lamports (tag 20, ephemeral SPL token program). */
const SPONSORED_TRANSFER_LAMPORTS = 300_000n;

/** Seed lengths of a queue: "queue", mint, validator. */
const QUEUE_SEEDS = [5, 32, 32];

const queueLamports = (rent: Rent, items: number): bigint =>
  rent.minimum(transferQueueBytes(items)) + QUEUE_BUFFER_LAMPORTS;

/** Computes the cost of a transfer queue of the usual size, including initial lamports. */
export const usualQueueLamports = (rent: Rent): bigint => queueLamports(rent, QUEUE_ITEMS_DEFAULT);

const itemsOf = (r: Reading): number =>
  r.has('requestedItems') ? r.number('requestedItems') : QUEUE_ITEMS_DEFAULT;

const termsText = (r: Reading): string => {
  const reference = r.has('clientRefId') ? `, with reference ${r.amount('clientRefId')}` : '';
  return `in ${r.number('split')} part(s) after ${r.amount('minDelayMs')} to ${r.amount('maxDelayMs')} ms${reference}`;
};

const queueTransfer: Meaning = {
  say: (r) =>
    `${r.name('owner')} pays ${r.tokens('amount', r.account('mint'))} from the rollup to ${r.name('destinationOwner')} on the base ledger, ${termsText(r)}`,
  effects: (r) => {
    const mint = r.account('mint');
    return [
      tokenEffect(r, 'ownerAta', -r.amount('amount'), {
        mint,
        owner: r.account('owner'),
        location: 'ephemeral',
      }),
      tokenEffect(r, 'destinationOwner', r.amount('amount'), {
        mint,
        owner: r.account('destinationOwner'),
        account: null,
        location: 'base',
        held: 'queue',
      }),
    ];
  },
  findings: queueFindings,
};

const initTransferQueue: Meaning = {
  say: (r) =>
    `${r.name('payer')} pays for the transfer queue ${r.name('queue')} of mint ${r.name('mint')} on validator ${r.name('validator')}, unless it exists`,
  effects: (r) => [
    ...creationEffects(r, 'queue', 'transfer queue', r.scene.rent && queueLamports(r.scene.rent, itemsOf(r))),
    ...permissionEffects(r, 'queuePermission'),
    ...creationEffects(r, 'queueEata', 'ephemeral token account of the queue', r.rent(EATA_BYTES_B)),
    ...creationEffects(r, 'queueAta', 'token account of the queue', ataRent(r)),
    ...delegationEffects(r, 'queueEata'),
  ],
  findings: (r) => validatorFindings(r, r.account('validator')),
};

const sponsorLamportsTransfer: Meaning = {
  say: (r) =>
    `${describeLamports(r.amount('lamports'))} go from ${r.name('payer')} to the delegated account ${r.name('destination')}, for a fee of ${describeLamports(SPONSORED_TRANSFER_LAMPORTS)}`,
  effects: (r) => [
    ...lamportEffects(r.account('payer'), r.account('destination'), r.amount('lamports')),
    ...lamportEffects(r.account('payer'), null, SPONSORED_TRANSFER_LAMPORTS),
  ],
};

/** Tags 12, 16, 17, 19, 20, 23, 27 and 28: transfer queues, and the lamports that fund them. */
const queueForms: readonly Form[] = formsOf(QUEUE_TABLE, {
  initTransferQueue,
  queueTransfer,
  queueTransferWithPermission: queueTransfer,
  ensureTransferQueueCrank: {
    say: (r) => `The rollup is asked to keep paying out transfer queue ${r.name('queue')}`,
  },
  delegateTransferQueue: {
    say: (r) => `Transfer queue ${r.name('queue')} of mint ${r.name('mint')} is delegated to its validator`,
    effects: (r) => delegationEffects(r, 'queue', QUEUE_SEEDS),
    findings: queueFindings,
  },
  sponsorLamportsTransfer,
  initRentPda: {
    say: (r) => `${r.name('payer')} pays for the rent PDA ${r.name('rentPda')}, unless it exists`,
    effects: (r) => creationEffects(r, 'rentPda', 'rent PDA', r.rent(0)),
  },
  allocateTransferQueue: {
    say: (r) => `Transfer queue ${r.name('queue')} grows by as much as its lamports pay for`,
  },
  refillTransferQueue: {
    say: (r) => `Transfer queue ${r.name('queue')} gets its pending refill from the rent PDA`,
  },
});

/** Returns the seed lengths of a handle's pool: "stealth_pool", then the handle, split at 32 bytes. */
function poolSeeds(handle: string): number[] {
  const bytes = Buffer.byteLength(handle, 'utf8');
  if (bytes <= 32) return [12, bytes];
  return [12, 32, Math.min(bytes - 32, 32)];
}

const handleText = (r: Reading): string => quoted(r.text('handle'));

function destinationsOf(r: Reading): string[] {
  const keys = r.bytes('destinations');
  return Array.from({ length: Math.floor(keys.length / 32) }, (_, index) =>
    addressOf(keys.subarray(index * 32, index * 32 + 32)),
  );
}

const isMalformed = (r: Reading): boolean =>
  r.bytes('destinations').length !== r.number('destinationCount') * 32 ||
  r.number('flags') > SPLIT_ACROSS_KEYS;

/**
 * Tags 21 and 22: stealth pools. Changing the destinations of a handle redirects all later payments to it,
 * like changing the authority of a token account. The change is not a danger if it was requested.
 */
const stealthForms: readonly Form[] = formsOf(STEALTH_TABLE, {
  updateStealthPool: {
    say: (r) =>
      `${r.name('authority')} makes the stealth handle ${handleText(r)} pay to ${destinationsOf(r).join(', ')}${r.number('flags') === SPLIT_ACROSS_KEYS ? ', the parts of a payment to different ones' : ''}`,
    danger: (r) =>
      isMalformed(r)
        ? 'The list of destinations is malformed.'
        : `Payments to the stealth handle ${handleText(r)} would go to ${destinationsOf(r).join(', ')} from then on.`,
    findings: (r) => handleFindings(r.text('handle')),
  },
  delegateStealthPool: {
    say: (r) =>
      `${r.name('payer')} pays for the stealth pool ${r.name('pool')} of handle ${handleText(r)} under ${r.name('authority')}, which is delegated to ${toValidator(r.address('validator'))}; nothing happens if it exists`,
    effects: (r) => [
      ...creationEffects(r, 'pool', 'stealth pool', r.rent(STEALTH_POOL_BYTES)),
      ...permissionEffects(r, 'poolPermission'),
      ...delegationEffects(r, 'pool', poolSeeds(r.text('handle'))),
    ],
    danger: (r) =>
      r.account('authority') === r.account('payer')
        ? null
        : `${r.name('payer')} pays for the pool, and ${r.name('authority')} would decide who receives payments to the stealth handle ${handleText(r)}.`,
    findings: (r) => [...validatorFindings(r, r.address('validator')), ...handleFindings(r.text('handle'))],
  },
});

/** The ephemeral SPL token program, layouts A and B side by side. */
export const ephemeralTokenProgram: KnownProgram = {
  ...EPHEMERAL_TOKEN,
  forms: [...eataForms, ...shuttleForms, ...queueForms, ...stealthForms, ...internalForms],
};
