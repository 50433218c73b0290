import type { Sent } from './submit.ts';

/** The answer of a ledger about a signature. */
export type Status =
  | 'landed'
  | 'failed'
  /** The transaction does not exist. The ledger would show it to this caller. */
  | 'absent'
  /** No transaction is shown, but a rollup may hide it from a caller without a token. */
  | 'hidden'
  /** The ledger did not answer. */
  | 'unread';

/** Queries to the ledger that a transaction was sent to. */
export interface OutcomePorts {
  statusOf(sent: Sent): Promise<Status>;
  /** The current block height of the ledger; null if the ledger did not answer. */
  heightOf(sent: Sent): Promise<number | null>;
}

/** The outcome of a sent transaction. */
export type Found = 'landed' | 'failed' | 'expired' | 'open' | 'hidden' | 'unread';

/**
 * Looks up a transaction once. It is `expired` only if the ledger says that it is absent after its last valid
 * block height has passed. A missing answer proves nothing, nor does one that may hide the transaction.
 */
export async function lookUp(ports: OutcomePorts, sent: Sent): Promise<Found> {
  const first = await ports.statusOf(sent);
  if (first !== 'absent') return first;
  const height = await ports.heightOf(sent);
  if (height === null) return 'unread';
  if (height <= sent.lastValidBlockHeight) return 'open';
  // The transaction may have landed between the two reads.
  const last = await ports.statusOf(sent);
  return last === 'absent' ? 'expired' : last;
}

/** Storage key of the sent transaction whose outcome is unknown. */
const PLACE = 'spl-private-payments.sent';

/** The used part of `sessionStorage`, which survives a reload and ends with the tab. */
export type TabStorage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

interface StoredSent extends Sent {
  readonly genesisHash: string | null;
}

/**
 * Stores a transaction before it is sent: its signature, but not its content.
 *
 * @param genesisHash of its base ledger; null if unknown.
 */
export const storeSent = (storage: TabStorage, genesisHash: string | null, sent: Sent): void =>
  storage.setItem(PLACE, JSON.stringify({ ...sent, genesisHash } satisfies StoredSent));

/** Deletes a transaction from the storage if it is still the stored one. */
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

/**
 * Reads the stored transaction; null if it is invalid, because other pages of the origin can write there too.
 */
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
