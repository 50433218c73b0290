import { z } from 'zod';
import type { Rollup } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { deriveMagicFeeVault } from '../programs/delegation/pdas.ts';
import { deriveTransferQueue } from '../programs/ephemeral-token/pdas.ts';
import { QUEUE_TABLE } from '../programs/ephemeral-token/table/queue.ts';
import { encode } from '../programs/instruction-table/encode.ts';
import type { Address } from '../solana/address.ts';
import type { Instruction } from '../solana/instruction.ts';
import {
  type CrankStatus,
  type QueueStatus,
  readCrankStatus,
  readTransferQueue,
} from './accounts/transfer-queue.ts';
import { notesMember, notesOf } from './building/built-transaction.ts';
import { requireRollup, resolveLayoutB } from './cluster-support.ts';
import { address, cluster } from './fields/fields.ts';
import { defineOperation } from './operation.ts';

const MEANING: Readonly<Record<QueueStatus, string>> = {
  absent: 'has no transfer queue on validator',
  undelegated: 'has a transfer queue that is not delegated yet on validator',
  delegated: 'is ready for private transfers on validator',
};

const CRANK_MEANING: Readonly<Record<CrankStatus, string>> = {
  running: 'The rollup runs the task that pays out its transfers.',
  failing:
    'The last run of the task that pays out its transfers failed. Private payments wait, and the rollup retries it automatically.',
  scheduled:
    'A task that pays out its transfers is scheduled, but no account shows whether the validator still runs it.',
  none: 'No task pays out its transfers: private payments wait until spl.ensureTransferQueueCrank has been called.',
  unknown:
    'It is unknown whether a task pays out its transfers. Call spl.ensureTransferQueueCrank to make sure.',
};

/**
 * Checks on base whether a mint is set up for private transfers on a validator (layout B only).
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, VALIDATOR_UNRESOLVED, ACCOUNT_UNREADABLE, UPSTREAM_*.
 */
export function createIsMintInitialized({ clusters }: { readonly clusters: Clusters }) {
  return defineOperation({
    name: 'isMintInitialized',
    title: 'Check whether a mint is initialized',
    description:
      'Checks whether a mint is ready for private transfers on a validator: whether its transfer queue exists on the base ledger and is delegated, and whether a task on the rollup pays it out. spl.initializeMint builds the transaction that sets up the mint.',
    effect: 'read',
    input: z.strictObject({
      mint: address('The mint to check.'),
      validator: address("The validator to check. Default: the cluster's own.").optional(),
      cluster: cluster(clusters.names).optional(),
    }),
    output: z.object({
      mint: z.string().meta({ description: 'The requested mint.' }),
      validator: z.string().meta({ description: 'The requested validator.' }),
      transferQueue: z.string().meta({ description: 'The transfer queue of the mint on that validator.' }),
      initialized: z.boolean().meta({
        description: 'Whether the transfer queue exists and is delegated, so that it accepts transfers.',
      }),
      crank: z.enum(['running', 'failing', 'scheduled', 'none', 'unknown']).optional().meta({
        description:
          'Whether a task pays out the queue, as reported by the rollup. running: the rollup runs it; failing: its last run failed and the rollup retries it; scheduled: a task exists, but no account shows whether it still runs; none: private payments wait until you call spl.ensureTransferQueueCrank; unknown: the rollup cannot tell. Absent without a delegated queue.',
      }),
      ...notesMember,
    }),
    worksOn: ({ layout }) => layout === 'b',
    run: async ({ mint, ...input }) => {
      const chain = resolveLayoutB('isMintInitialized', input.cluster, clusters);
      const validator = input.validator ?? (await chain.validatorIdentity());
      const { queue, status } = await readTransferQueue(chain, mint, validator);
      const initialized = status === 'delegated';
      const crank = initialized ? await readCrankStatus(chain, queue, { mint, validator }) : undefined;
      const state = `Mint ${mint} ${MEANING[status]} ${validator}.`;
      return {
        output: {
          mint,
          validator,
          transferQueue: queue,
          initialized,
          ...(crank && { crank }),
          ...notesOf(initialized ? [] : [state]),
        },
        sentences: [
          'Fetched the SPL mint initialization status.',
          state,
          ...(crank === undefined ? [] : [CRANK_MEANING[crank]]),
        ],
      };
    },
  });
}

/**
 * Sends a free transaction to a rollup, signed with a throwaway key. Creates a key pair, passes the key to
 * `plan` as the fee payer, signs and sends the instructions on the rollup's newest blockhash, discards the
 * key, and returns the signature (base58). Keys are created and used outside the payment operations, because
 * no operation may sign. Throws the errors of {@link Rollup}.
 */
export type SendFromThrowaway = (
  rollup: Rollup,
  plan: (feePayer: Address) => Instruction[],
) => Promise<string>;

/**
 * Sends the transaction that restarts a transfer queue's payout task if it has stopped (layout B only).
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, VALIDATOR_UNRESOLVED, TRANSFER_QUEUE_NOT_INITIALIZED,
 * ACCOUNT_UNREADABLE, TRANSACTION_FAILED, UPSTREAM_*.
 */
export function createEnsureTransferQueueCrank(deps: {
  readonly clusters: Clusters;
  readonly sendFromThrowaway: SendFromThrowaway;
}) {
  const { clusters, sendFromThrowaway } = deps;
  return defineOperation({
    name: 'ensureTransferQueueCrank',
    title: 'Make a transfer queue pay out',
    description:
      'Makes sure that the rollup pays out the transfer queue of a mint on a validator: sends a transaction that schedules its task again. It is free and moves no tokens.',
    effect: 'send',
    input: z.strictObject({
      mint: address('The mint of the queue.'),
      validator: address("The validator of the queue. Default: the cluster's own.").optional(),
      cluster: cluster(clusters.names).optional(),
    }),
    output: z.object({
      mint: z.string().meta({ description: 'The mint of the queue.' }),
      validator: z.string().meta({ description: 'The validator of the queue.' }),
      transferQueue: z.string().meta({ description: 'The transfer queue.' }),
      crankSignature: z.string().meta({ description: 'Signature of the transaction that was sent, base58.' }),
    }),
    worksOn: ({ layout, rollup }) => layout === 'b' && rollup !== null,
    run: async ({ mint, ...input }) => {
      const chain = resolveLayoutB('ensureTransferQueueCrank', input.cluster, clusters);
      const rollup = requireRollup('ensureTransferQueueCrank', chain, clusters);
      const validator = input.validator ?? (await chain.validatorIdentity());
      const { queue, status } = await readTransferQueue(chain, mint, validator);
      if (status !== 'delegated') {
        throw new ServiceError(
          'TRANSFER_QUEUE_NOT_INITIALIZED',
          `Transfer queue is not initialized and delegated: ${queue} of mint ${mint} on validator ${validator}; send the transaction of spl.initializeMint first`,
          { field: 'mint', mint, validator, transferQueue: queue },
        );
      }
      const crankSignature = await sendFromThrowaway(rollup, (payer) =>
        planQueueCrank(mint, validator, payer),
      );
      return {
        output: { mint, validator, transferQueue: queue, crankSignature },
        sentences: [
          'Ensured the SPL transfer queue crank.',
          `Sent transaction ${crankSignature} to the rollup of validator ${validator} for transfer queue ${queue}.`,
        ],
      };
    },
  });
}

/** Plans the rollup instruction that makes the queue of a mint on a validator pay out. */
export function planQueueCrank(mint: Address, validator: Address, payer: Address): Instruction[] {
  return [
    encode(QUEUE_TABLE.ensureTransferQueueCrank, {
      payer,
      queue: deriveTransferQueue(mint, validator).address,
      magicFeeVault: deriveMagicFeeVault(validator).address,
    }),
  ];
}
