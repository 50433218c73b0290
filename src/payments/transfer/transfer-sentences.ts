import { quoted } from '../../errors/quoted-text.ts';
import { formatBaseUnits } from '../mints/base-units.ts';
import { describeTokens } from '../mints/common-mints.ts';
import type { BuiltTransaction } from '../building/built-transaction.ts';
import { LEDGERS, signingAdvice } from '../building/draft.ts';
import type { Address } from '../../solana/address.ts';
import type { TransferTask } from './transfer-task.ts';

/** Reading the recipient's account would tell the base RPC who is paid, which a private transfer keeps from it. */
export const unreadRecipient = (to: Address): string =>
  `Whether the token account at the ATA of ${to} still belongs to ${to} is not looked up: the base RPC would learn who is paid.`;

/** What a transfer does, in words. `to` is the recipient as the caller wrote it. */
export function transferSentences(task: TransferTask, to: string, built: BuiltTransaction): string[] {
  const { request, facts, payer } = task;
  const { sums, from, visibility, fromBalance, toBalance } = request;
  const tokens = (amount: bigint): string => formatBaseUnits(amount, facts.decimals);
  const recipient = request.toStealthPool ? `the stealth handle ${quoted(to)}` : to;
  const fee = sums.debited - sums.received;
  const cost = fee === 0n ? '' : ` ${tokens(sums.debited)} leave the sender, ${tokens(fee)} of them as fees.`;
  const sponsored = payer === from ? '' : ` The sponsor ${payer} pays the lamports and has signed already.`;
  return [
    'Built an unsigned SPL transfer transaction.',
    `It pays ${describeTokens(sums.received, facts)} from ${from} on ${LEDGERS[fromBalance]} to ${recipient} on ${LEDGERS[toBalance]}, ${visibility === 'private' ? 'privately' : 'publicly'}.${cost}${sponsored} ${signingAdvice(from, built)}`,
  ];
}
