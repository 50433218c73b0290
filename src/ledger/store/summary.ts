import type { LedgerIdentity, TimeAnchor } from './store.ts';

/** The state of a ledger besides accounts and transactions. */
export interface LedgerSummary {
  readonly identity: LedgerIdentity | null;
  readonly slotCeiling: number;
  readonly recordCount: number;
  /** In ascending order of slots. */
  readonly timeAnchors: readonly TimeAnchor[];
}

/** The summary before a ledger has begun. */
export const NO_LEDGER: LedgerSummary = { identity: null, slotCeiling: 0, recordCount: 0, timeAnchors: [] };

/** The summary after a commit. A commit with an identity begins a new ledger. */
export function summarize(
  before: LedgerSummary,
  commit: {
    readonly identity?: LedgerIdentity | undefined;
    readonly timeAnchor?: TimeAnchor | undefined;
    readonly slotCeiling: number;
    readonly record?: unknown;
  },
): LedgerSummary {
  const { identity, recordCount, timeAnchors } =
    commit.identity === undefined ? before : { ...NO_LEDGER, identity: commit.identity };
  return {
    identity,
    slotCeiling: commit.slotCeiling,
    recordCount: commit.record === undefined ? recordCount : recordCount + 1,
    timeAnchors: commit.timeAnchor === undefined ? timeAnchors : [...timeAnchors, commit.timeAnchor],
  };
}
