import type { Sent } from './submit.ts';

/** What a ledger says of a signature. */
export type Status =
  | 'landed'
  | 'failed'
  /** Not there, according to a ledger that would show it to this caller. */
  | 'absent'
  /** Not shown; a rollup may hide it from a caller without a token. */
  | 'hidden'
  /** No answer. */
  | 'unread';

/** Asks the ledger that a transaction was sent to. */
export interface OutcomePorts {
  statusOf(sent: Sent): Promise<Status>;
  /** The present block height of its ledger; null if it was not read. */
  heightOf(sent: Sent): Promise<number | null>;
}

/** The outcome of a sent transaction, as far as its ledger shows it. */
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

/** The one place of the tab's storage: what was handed over, and is not known to have landed. */
const PLACE = 'spl-private-payments.sent';

/** As much of `sessionStorage` as is used: it outlives a reload of the tab, and ends with the tab. */
export type TabStorage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface StoredSent extends Sent {
  readonly genesisHash: string | null;
}

/**
 * Keeps what is about to be sent: its signature, and nothing of what it does.
 *
 * @param genesisHash of the base ledger that it is for; null if that is not known.
 */
export const storeSent = (storage: TabStorage, genesisHash: string | null, sent: Sent): void =>
  storage.setItem(PLACE, JSON.stringify({ ...sent, genesisHash } satisfies StoredSent));

/** Deletes it if it is still the stored one. */
export function dropSent(storage: TabStorage, { signature }: Sent): void {
  if (readStored(storage)?.signature === signature) storage.removeItem(PLACE);
}

/** The stored transaction of this ledger; null if there is none. */
export function storedSent(storage: TabStorage, genesisHash: string | null): Sent | null {
  const stored = readStored(storage);
  if (stored === null || stored.genesisHash !== genesisHash) return null;
  const { wallet, sendTo, signature, lastValidBlockHeight } = stored;
  return { wallet, sendTo, signature, lastValidBlockHeight };
}

/** Pages of the origin may have written there too: what is no such thing is none. */
function readStored(storage: TabStorage): StoredSent | null {
  try {
    const stored = JSON.parse(storage.getItem(PLACE) ?? 'null') as StoredSent | null;
    return stored !== null && isSent(stored) ? stored : null;
  } catch {
    return null;
  }
}

const isSent = ({ wallet, sendTo, signature, lastValidBlockHeight }: Sent): boolean =>
  typeof wallet === 'string' &&
  (sendTo === 'base' || sendTo === 'ephemeral') &&
  typeof signature === 'string' &&
  Number.isSafeInteger(lastValidBlockHeight);
