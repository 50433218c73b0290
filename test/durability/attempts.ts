import type { Address } from '../../src/solana/address.ts';
import type { Effect } from './step.ts';

/** Where an operation is written. */
export type LedgerName = 'base' | 'ephemeral';

/** A signed transaction that was about to be sent. */
export interface Attempt {
  readonly kind: string;
  readonly ledger: LedgerName;
  readonly signature: string;
  readonly effect: Effect;
  /** The shuttle it opens, on layout B. */
  readonly shuttle: Address | null;
  isAcknowledged: boolean;
}

/**
 * All attempts, each signature once: who pays the same twice within a slot signs the same bytes twice, and a
 * ledger takes these once.
 */
export class Attempts {
  readonly #bySignature = new Map<string, Attempt>();

  /** Notes an attempt; the one that has its signature already, if there is one. */
  begin(attempt: Attempt): Attempt {
    const known = this.#bySignature.get(attempt.signature);
    if (known !== undefined) return known;
    this.#bySignature.set(attempt.signature, attempt);
    return attempt;
  }

  /** In the order in which they were begun. */
  all(): Attempt[] {
    return [...this.#bySignature.values()];
  }
}
