import { z } from 'zod';
import { address, cluster, flag } from '../fields/fields.ts';
import { transactionText } from '../fields/transaction-field.ts';
import { CHECKED_OPERATIONS } from './request/check-request.ts';

/** The input of `explainTransaction`, with these cluster names. */
export const explainInput = (clusterNames: readonly string[]) =>
  z.strictObject({
    transactionBase64: transactionText(
      'The transaction as base64: legacy, v0 or v1; unsigned, partly or fully signed.',
    ),
    cluster: cluster(clusterNames).optional(),
    sendTo: z.enum(['base', 'ephemeral'], { error: 'must be "base" or "ephemeral"' }).optional().meta({
      description:
        'The ledger it is for: the sendTo of the built transaction. Default: the rollup when it calls the Magic program or the request is for it, else the base ledger.',
    }),
    request: z
      .strictObject({
        operation: z
          .enum(CHECKED_OPERATIONS, { error: `must be one of: ${CHECKED_OPERATIONS.join(', ')}` })
          .meta({ description: 'The operation it should have been built by.' }),
        arguments: z
          .record(z.string(), z.unknown(), { error: 'must be an object: the arguments of the operation' })
          .meta({ description: 'The arguments that were given to the operation.' }),
        recentBlockhash: z
          .string({ error: 'must be a base58 text' })
          .max(44, { error: 'must be a base58 blockhash' })
          .optional()
          .meta({ description: 'The blockhash that the builder reported, to be compared as well.' }),
      })
      .optional()
      .meta({ description: 'What the transaction should do: it is compared with it in every detail.' }),
    wallet: address(
      "The signer's own wallet: what leaves it, and whatever leaves it to others, is said first.",
    ).optional(),
    offline: flag(
      'Look at the bytes alone and ask no ledger: then nothing is confirmed and the verdict is never clear. Default: false.',
    ).optional(),
  });

export type ExplainInput = z.infer<ReturnType<typeof explainInput>>;
