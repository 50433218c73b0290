import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import {
  type CrankStatus,
  type QueueStatus,
  readCrankStatus,
  readTransferQueue,
} from './accounts/transfer-queue.ts';
import { notesMember, notesOf } from './building/built-transaction.ts';
import { resolveLayoutB } from './cluster-support.ts';
import { address, cluster } from './fields/fields.ts';
import { defineOperation } from './operation.ts';

const output = z.object({
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
});

/** The meaning of each status for private transfers. */
const MEANING: Readonly<Record<QueueStatus, string>> = {
  absent: 'has no transfer queue on validator',
  undelegated: 'has a transfer queue that is not delegated yet on validator',
  delegated: 'is ready for private transfers on validator',
};

/** The meaning of each task status for private transfers. */
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
 * Reads from base whether a mint is set up for private transfers on a validator; layout B.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, VALIDATOR_UNRESOLVED, ACCOUNT_UNREADABLE, UPSTREAM_*.
 */
export function createIsMintInitialized({ clusters }: { readonly clusters: Clusters }) {
  return defineOperation({
    name: 'isMintInitialized',
    title: 'Ask whether a mint is initialised',
    description:
      'Checks whether a mint is ready for private transfers on a validator: whether its transfer queue exists on the base ledger and is delegated, and whether a task on the rollup pays it out. spl.initializeMint builds the transaction that sets up the mint.',
    effect: 'read',
    input: z.strictObject({
      mint: address('The mint to check.'),
      validator: address("The validator to check. Default: the cluster's own.").optional(),
      cluster: cluster(clusters.names).optional(),
    }),
    output,
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
