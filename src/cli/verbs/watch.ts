import { isAddress } from '../../solana/address.ts';
import { isSignature } from '../../solana/signature.ts';
import type { VerbExit } from './exit-codes.ts';
import type { VerbCall } from './verb-call.ts';
import { unusable, VerbFailure } from './verb-failure.ts';
import type { FeedPlace, Landed } from './watch/feed.ts';
import { follow, type Followed } from './watch/follow.ts';
import { readPast } from './watch/past.ts';
import { findPaymentAt } from './watch/watched.ts';

/** `watch [SIGNATURE | ADDRESS]`: a line for each transaction, of both ledgers, as they land. */
export function runWatch(call: VerbCall): Promise<VerbExit> {
  const [word] = call.words;
  if (word === undefined) return follow(call, async () => ({ mentions: null }), line);
  if (isAddress(word)) return follow(call, async () => ({ mentions: [word] }), line);
  if (!isSignature(word)) throw unusable('watch needs a signature or an address, base58');
  return follow(call, (places) => findPayment(call, places, word), line);
}

/**
 * The accounts of a payment, and what has happened to them since.
 *
 * @throws {VerbFailure} `refused` where no ledger shows it.
 */
async function findPayment(
  call: VerbCall,
  places: readonly FeedPlace[],
  signature: string,
): Promise<Followed> {
  for (const place of places) {
    const payment = await findPaymentAt(place, signature);
    if (payment === null) continue;
    const readBefore = () => call.during('Reading the past', readPast(places, payment, call.terminal.tell));
    return { mentions: payment.accounts, readBefore };
  }
  throw new VerbFailure(
    'refused',
    'SIGNATURE_NOT_FOUND',
    `No ledger shows ${signature}. A private rollup shows transactions to their parties alone: log in with --keypair`,
  );
}

function line({ sendTo, slot, signature, err }: Landed): readonly string[] {
  const outcome = err === null ? 'ok' : `failed ${JSON.stringify(err)}`;
  return [`${sendTo.padEnd(9)}  slot ${slot}  ${signature}  ${outcome}`];
}
