import type { Address } from '../../src/solana/address.ts';
import type { Effect } from './step.ts';

/** The ledger of an operation. */
export type LedgerName = 'base' | 'ephemeral';

/** A signed transaction that was about to be sent. */
export interface Attempt {
  readonly kind: string;
  readonly ledger: LedgerName;
  readonly signature: string;
  readonly effect: Effect;
  /** The shuttle that it opens on layout B; null if it opens none. */
  readonly shuttle: Address | null;
  isAcknowledged: boolean;
}

/** All attempts by signature. Two identical payments in a slot have one signature and execute once. */
export class Attempts {
  readonly #bySignature = new Map<string, Attempt>();

  /** Adds an attempt, or returns the existing one with its signature. */
  begin(attempt: Attempt): Attempt {
    const known = this.#bySignature.get(attempt.signature);
    if (known !== undefined) return known;
    this.#bySignature.set(attempt.signature, attempt);
    return attempt;
  }

  /** Returns all attempts in the order of their start. */
  all(): Attempt[] {
    return [...this.#bySignature.values()];
  }
}
