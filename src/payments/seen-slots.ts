import type { LedgerClient } from '../chain/chain.ts';
import type { Clusters } from '../chain/clusters.ts';
import { isServiceError } from '../errors/service-error.ts';
import type { Operation } from './operation.ts';

/** The slots of ledgers that a caller has seen. Their names are like `mainnet.base` and `mainnet.rollup`. */
export interface SeenSlots {
  /** Returns the slot that an answer must have reached; undefined if any slot is acceptable. */
  of(ledger: string): number | undefined;
  /** Reports to the caller the slot that the answer may be from. */
  report(ledger: string, slot: number): void;
}

type NamedLedger = readonly [name: string, ledger: LedgerClient];

/**
 * Extends an operation so that it does not answer from an older slot than its caller has seen, even at
 * another replica. Operations that send are not delayed.
 */
export function withSeenSlots(operation: Operation, clusters: Clusters): Operation {
  const reads = operation.effect === 'build' || operation.effect === 'read';
  return {
    ...operation,
    async run(input, caller) {
      const { seen } = caller;
      const ledgers = seen === undefined ? [] : ledgersOf(input, clusters);
      if (seen === undefined || ledgers.length === 0) return operation.run(input, caller);
      if (reads) {
        const behind = ledgers.filter(([name, { newestSlot = -1 }]) => newestSlot < (seen.of(name) ?? -1));
        const reach = ([name, ledger]: NamedLedger) => ledger.reachSlot?.(seen.of(name) ?? 0, caller.token);
        await Promise.all(behind.map((each) => reach(each)?.catch(rejectOlder)));
      }
      try {
        return await operation.run(input, caller);
      } finally {
        for (const [name, { newestSlot }] of ledgers) {
          if (newestSlot !== undefined) seen.report(name, newestSlot);
        }
      }
    },
  };
}

/** Rejects an older state. The operation itself fails if it needs a ledger that cannot be read. */
function rejectOlder(error: unknown): void {
  if (!isServiceError(error) || error.context['slotsBehind'] !== undefined) throw error;
}

/** Returns the remote ledgers of the cluster that an input names; none for a cluster named by URL. */
function ledgersOf(input: unknown, clusters: Clusters): readonly NamedLedger[] {
  const named = (input as { readonly cluster?: string }).cluster?.trim().toLowerCase();
  if (named !== undefined && !clusters.names.includes(named)) return [];
  const chain = clusters.resolve(named);
  const ledgers: NamedLedger[] = [[`${chain.cluster}.base`, chain]];
  if (chain.rollup !== null) ledgers.push([`${chain.cluster}.rollup`, chain.rollup]);
  return ledgers.filter(([, { reachSlot }]) => reachSlot !== undefined);
}
