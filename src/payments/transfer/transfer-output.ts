import { z } from 'zod';
import { builtTransactionMembers, sendRpcEndpointMember } from '../building/built-transaction.ts';
import { notesMember, warningsMember } from '../building/draft.ts';

/** The result of a transfer. */
export const transferOutput = z.object({
  kind: z.literal('transfer').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  ...sendRpcEndpointMember,
  validator: z.string().optional().meta({
    description: 'The validator whose rollup carries the transfer; absent where none was needed or named.',
  }),
  from: z.enum(['base', 'ephemeral']).meta({ description: "Where the sender's tokens are taken from." }),
  fees: z
    .object({
      lamports: z
        .string()
        .meta({ description: 'Lamports the program charges, besides rent and network fee.' }),
      tokens: z.string().meta({ description: "All fees in tokens, in the mint's base units." }),
    })
    .meta({ description: 'What the transfer costs in lamports and in tokens, as decimal strings.' }),
  ...notesMember,
  ...warningsMember,
});

export type TransferOutput = z.infer<typeof transferOutput>;
