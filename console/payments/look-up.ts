import type { Sent } from './submit.ts';

/** What a ledger says of a signature. */
export type Status =
  | 'landed'
  | 'failed'
  /** Not there, by the word of a ledger that would tell this caller. */
  | 'absent'
  /** Not shown; a rollup may hide it from a caller without a token. */
  | 'hidden'
  /** No answer. */
  | 'unread';

/** Asks the ledger that a transaction was sent to. */
export interface OutcomePorts {
  statusOf(sent: Sent): Promise<Status>;
  /** The present block height of its ledger; null where it was not read. */
  heightOf(sent: Sent): Promise<number | null>;
}

/** What became of a transaction that was sent, as far as its ledger tells. */
export type Found = 'landed' | 'failed' | 'expired' | 'open' | 'hidden' | 'unread';

/**
 * Looks a signature up, once. It is `expired` only where its last block height had passed before the ledger
 * said that it is not there: an answer that does not come, or that may hide it, proves nothing.
 */
export async function lookUp(ports: OutcomePorts, sent: Sent): Promise<Found> {
  const first = await ports.statusOf(sent);
  if (first !== 'absent') return first;
  const height = await ports.heightOf(sent);
  if (height === null) return 'unread';
  if (height <= sent.lastValidBlockHeight) return 'open';
  // It may have landed between the two reads.
  const last = await ports.statusOf(sent);
  return last === 'absent' ? 'expired' : last;
}
