import {
  QUEUE_ITEMS_DEFAULT,
  transferQueueBytes,
} from '../../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { EATA_BYTES_B } from '../../../programs/ephemeral-token/state.ts';
import { QUEUE_TABLE } from '../../../programs/ephemeral-token/table/queue.ts';
import type { Rent } from '../../../solana/account.ts';
import { QUEUE_BUFFER_LAMPORTS } from '../../initialize-mint.ts';
import { describeLamports } from '../address-book.ts';
import { type Form, formsOf, type Meaning } from '../call.ts';
import { creationEffects, lamportEffects, type Reading, tokenEffect } from '../reading.ts';
import { ataRent } from './account-lamports.ts';
import { queueFindings, validatorFindings } from './common-findings.ts';
import { delegationEffects, permissionEffects } from './delegation.ts';

/**
 * Extra cost of a sponsored lamports transfer (tag 20) for its payer (ephemeral SPL token program), lamports.
 */
const SPONSORED_TRANSFER_LAMPORTS = 300_000n;

/** Lengths of the seeds of a queue: "queue", mint, validator. */
const QUEUE_SEEDS = [5, 32, 32];

const queueLamports = (rent: Rent, items: number): bigint =>
  rent.minimum(transferQueueBytes(items)) + QUEUE_BUFFER_LAMPORTS;

/** The cost of a transfer queue of the usual size, initial lamports included. */
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
export const queueForms: readonly Form[] = formsOf(QUEUE_TABLE, {
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
    say: (r) => `A pending refill of transfer queue ${r.name('queue')} from the rent PDA is carried out`,
  },
});
