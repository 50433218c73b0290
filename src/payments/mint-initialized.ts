import { z } from 'zod';
import type { Clusters } from '../chain/clusters.ts';
import { address, cluster } from './fields/fields.ts';
import { resolveLayoutB } from './clusters/layout-b-only.ts';
import { notesMember, notesOf } from './building/draft.ts';
import type { Operation } from './operation.ts';
import { readCrankStatus, type CrankStatus } from './queue-crank/status.ts';
import { readTransferQueue, type QueueStatus } from './accounts/transfer-queue.ts';

const output = z.object({
  mint: z.string().meta({ description: 'The mint that was asked about.' }),
  validator: z.string().meta({ description: 'The validator that was asked about.' }),
  transferQueue: z.string().meta({ description: 'The transfer queue of the mint on that validator.' }),
  initialized: z
    .boolean()
    .meta({ description: 'Whether the transfer queue exists and is delegated, so that it takes transfers.' }),
  crank: z.enum(['running', 'failing', 'scheduled', 'none', 'unknown']).optional().meta({
    description:
      'Whether a task pays out what the queue holds, as the rollup shows it: running, where the rollup reports its tasks; failing, where the last run failed, which is tried again by itself; scheduled, where no account tells whether it still runs; none, so that private payments wait until spl.ensureTransferQueueCrank has been called; unknown when the rollup cannot tell. Absent without a delegated queue.',
  }),
  ...notesMember,
});

const inputOf = (clusterNames: readonly string[]) =>
  z.strictObject({
    mint: address('The mint to ask about.'),
    validator: address("The validator to ask about. Default: the cluster's own.").optional(),
    cluster: cluster(clusterNames).optional(),
  });

type Input = z.infer<ReturnType<typeof inputOf>>;
type Output = z.infer<typeof output>;

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
    'The task that pays out its transfers failed when it last ran: private payments wait, and the rollup tries it again by itself.',
  scheduled:
    'A task that pays out its transfers is scheduled; whether the validator still runs it, no account tells.',
  none: 'No task pays out its transfers: private payments wait until spl.ensureTransferQueueCrank has been called.',
  unknown:
    'Whether a task pays out its transfers cannot be told; spl.ensureTransferQueueCrank makes sure that one does.',
};

/**
 * Reads from base whether a mint is set up for private transfers on a validator; layout B.
 *
 * Errors: CLUSTER_NOT_ALLOWED, UNSUPPORTED_ON_CLUSTER, VALIDATOR_UNRESOLVED, ACCOUNT_UNREADABLE, UPSTREAM_*.
 */
export function createIsMintInitialized({
  clusters,
}: {
  readonly clusters: Clusters;
}): Operation<Input, Output> {
  return {
    name: 'isMintInitialized',
    title: 'Ask whether a mint is initialised',
    description:
      'Tells whether a mint is ready for private transfers on a validator: whether its transfer queue exists on the base ledger and is delegated, and whether a task on the rollup pays out what it holds. spl.initializeMint builds what makes it ready.',
    effect: 'read',
    input: inputOf(clusters.names) as z.ZodType<Input>,
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
  };
}
