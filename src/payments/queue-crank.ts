import { z } from 'zod';
import type { Rollup } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { ServiceError } from '../errors/service-error.ts';
import { deriveMagicFeeVault } from '../programs/delegation/pdas.ts';
import { ensureTransferQueueCrank } from '../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { deriveTransferQueue } from '../programs/ephemeral-token/pdas.ts';
import type { Address } from '../solana/address.ts';
import type { Instruction } from '../solana/instruction.ts';
import { readTransferQueue } from './accounts/transfer-queue.ts';
import { requireRollup, resolveLayoutB } from './cluster-support.ts';
import { address, cluster } from './fields/fields.ts';
import { defineOperation } from './operation.ts';

/**
 * Sends a free transaction that needs no permission to a rollup: creates a key pair for it, passes the key to
 * `plan` as the fee payer, signs and sends the instructions on the rollup's newest blockhash, discards the
 * key, and returns the signature (base58). Keys are created and used outside the payment operations, so that
 * no operation can sign. Fails like {@link Rollup}.
 */
export type SendFromThrowaway = (
  rollup: Rollup,
  plan: (feePayer: Address) => Instruction[],
) => Promise<string>;

const output = z.object({
  mint: z.string().meta({ description: 'The mint of the queue.' }),
  validator: z.string().meta({ description: 'The validator of the queue.' }),
  transferQueue: z.string().meta({ description: 'The transfer queue.' }),
  crankSignature: z.string().meta({ description: 'Signature of the transaction that was sent, base58.' }),
});

/**
 * Sends the transaction that makes a transfer queue pay out, in case its task has stopped; layout B.
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
    output,
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

/** The instruction for the rollup that makes the queue of a mint on a validator pay out. */
export function planQueueCrank(mint: Address, validator: Address, payer: Address): Instruction[] {
  return [
    ensureTransferQueueCrank({
      payer,
      queue: deriveTransferQueue(mint, validator).address,
      magicFeeVault: deriveMagicFeeVault(validator).address,
    }),
  ];
}
