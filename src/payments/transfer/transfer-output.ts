import { z } from 'zod';
import { builtTransactionMembers, sendRpcEndpointMember } from '../building/built-transaction.ts';
import { notesMember, warningsMember } from '../building/draft.ts';
import { decimalText } from '../fields/decimal-text.ts';

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
      lamports: decimalText(
        'Lamports the program charges for a payout on the base ledger, as the hosted API counts them: without rent, the network fee and the 500000 that whoever opens a shuttle pays. The explanation of the transaction names them all.',
      ),
      tokens: decimalText("All fees in tokens, in the mint's base units."),
    })
    .meta({ description: 'What the transfer costs in lamports and in tokens, as decimal strings.' }),
  ...notesMember,
  ...warningsMember,
});

export type TransferOutput = z.infer<typeof transferOutput>;
