import { quoted } from '../../errors/quoted-text.ts';
import { formatBaseUnits } from '../mints/base-units.ts';
import { describeTokens } from '../mints/common-mints.ts';
import { LEDGERS } from '../building/draft.ts';
import type { Address } from '../../solana/address.ts';
import type { TransferTask } from './transfer-task.ts';

/** Reading the recipient's account would reveal the payee to base's RPC, which a private transfer avoids. */
export const unreadRecipient = (to: Address): string =>
  `Whether the token account at the ATA of ${to} still belongs to ${to} is not looked up: the base RPC would learn who is paid.`;

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
