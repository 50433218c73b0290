import { z } from 'zod';
import { quoted } from '../../errors/quoted-text.ts';
import type { Address } from '../../solana/address.ts';
import { builtTransactionMembers, sendRpcEndpointMember } from '../building/built-transaction.ts';
import { LEDGERS, notesMember, warningsMember } from '../building/draft.ts';
import { decimalText } from '../fields/fields.ts';
import { describeTokens, formatBaseUnits } from '../mints/common-mints.ts';
import type { TransferTask } from './task.ts';

/** The result of a transfer. */
export const transferOutput = z.object({
  kind: z.literal('transfer').meta({ description: 'What was built.' }),
  ...builtTransactionMembers,
  ...sendRpcEndpointMember,
  validator: z.string().optional().meta({
    description: 'The validator whose rollup carries the transfer; absent if none was needed or named.',
  }),
  from: z.enum(['base', 'ephemeral']).meta({ description: "Where the sender's tokens come from." }),
  fees: z
    .object({
      lamports: decimalText(
        'Lamports the program charges for a payout on the base ledger, as the hosted API counts them: without rent, the network fee and the 500000 of a shuttle. Explain the transaction to see all of them.',
      ),
      tokens: decimalText("All fees in tokens, in the mint's base units."),
    })
    .meta({ description: 'The cost of the transfer in lamports and in tokens, as decimal strings.' }),
  ...notesMember,
  ...warningsMember,
});

export type TransferOutput = z.infer<typeof transferOutput>;

/** Reading the recipient's account would reveal the payee to base's RPC, which a private transfer avoids. */
export const unreadRecipient = (to: Address): string =>
  `Whether ${to} still owns the token account at its ATA is not checked, because the base RPC would learn who is paid.`;

/** Describes a transfer in one sentence. `to` is the recipient as the caller wrote it. */
export function noteOfTransfer({ request, facts, payer }: TransferTask, to: string): string {
  const { sums, from, way } = request;
  const { visibility, fromBalance, toBalance } = way;
  const tokens = (amount: bigint): string => formatBaseUnits(amount, facts.decimals);
  const recipient = request.toStealthPool ? `the stealth handle ${quoted(to)}` : to;
  const fee = sums.debited - sums.received;
  const cost = fee === 0n ? '' : ` ${tokens(sums.debited)} leave the sender, ${tokens(fee)} of them as fees.`;
  const sponsored = payer === from ? '' : ` The sponsor ${payer} pays the lamports and has signed already.`;
  return `It pays ${describeTokens(sums.received, facts)} from ${from} on ${LEDGERS[fromBalance]} to ${recipient} on ${LEDGERS[toBalance]}, ${visibility === 'private' ? 'privately' : 'publicly'}.${cost}${sponsored}`;
}
