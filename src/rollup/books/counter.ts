import type { AccountView } from '../../ledger/state/account-state.ts';
import { itemEntry, readItem, type Entry, type ItemType } from './item.ts';

/** Items that are counted. */
interface Counted {
  readonly kind: number;
}

/** The next sequence of a kind of items. */
interface Counter {
  readonly of: number;
  readonly next: bigint;
}

const COUNTER: ItemType<Counter> = {
  kind: 1,
  keyOf: ({ of }) => Uint8Array.of(of),
  sequenceOf: ({ next }) => next,
  encode: ({ of }) => Uint8Array.of(of),
  decode: (reader, next) => ({ of: reader.u8(), next }),
};

/** The sequence that the next item of a kind gets. No sequence is given twice, whatever was removed since. */
export function nextSequence({ kind }: Counted, accounts: Pick<AccountView, 'get'>): bigint {
  return readItem(COUNTER, accounts, Uint8Array.of(kind))?.next ?? 1n;
}

/** Has to be in the commit of the items whose sequences are below `next`. */
export function counterEntry({ kind }: Counted, next: bigint): Entry {
  return itemEntry(COUNTER, { of: kind, next });
}
