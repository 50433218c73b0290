import type { LedgerStore } from '../store/store.ts';

/**
 * What is wrong where other transactions were read than there are; null where nothing is.
 *
 * @param read how many were read from the first one on.
 */
export function countFault(
  { firstSlot, keptCount, recordCount }: Pick<LedgerStore, 'firstSlot' | 'keptCount' | 'recordCount'>,
  read: number,
): string | null {
  if (read !== keptCount) return `it keeps ${keptCount} transactions, and ${read} could be read`;
  const forgotten = recordCount - keptCount;
  // A slot that lost a transaction is not complete.
  if (forgotten < 0 || (forgotten > 0 && firstSlot === 0)) {
    return `${recordCount} transactions landed, and it keeps ${keptCount} of slot ${firstSlot} and later ones`;
  }
  return null;
}
