import type { Found } from '../payments/look-up.ts';
import type { Proposal } from '../payments/proposal.ts';
import type { Sent } from '../payments/submit.ts';
import type { Failure } from './failure.ts';
import type { Intent } from './intent.ts';

/** A transaction with an unknown outcome. The page looks it up and builds nothing else meanwhile. */
export interface Unknown {
  readonly kind: 'unknown';
  /** The action; null after a reload of the page, which stores only the signature. */
  readonly intent: Intent | null;
  readonly sent: Sent;
  /** The next intents. */
  readonly queue: readonly Intent[];
  /** Why the outcome is unknown; null if the transaction was not seen in time. */
  readonly fault: string | null;
  /** The last answer of its ledger; null before the first. */
  readonly found: Found | null;
  /** Whether the page is looking up the transaction. If not, the user can start another lookup. */
  readonly isLooking: boolean;
}

/** An account that is being undelegated. The page polls base until it is back. */
export interface Settling {
  readonly kind: 'settling';
  readonly wallet: string;
  readonly sinceMs: number;
  readonly looks: number;
  /** Whether base answered the last poll. */
  readonly isRead: boolean;
  /** Whether the page is polling. If not, the user can start again. */
  readonly isLooking: boolean;
}

/** The state of the stage. */
export type Activity =
  | { readonly kind: 'rest' }
  | { readonly kind: 'busy'; readonly words: string }
  /** Waits for a signature. `queue` comes next. */
  | {
      readonly kind: 'sign';
      readonly intent: Intent;
      readonly proposal: Proposal;
      readonly queue: readonly Intent[];
      /** Whether the proposal changed after it was shown and needs another review. */
      readonly hasChanged: boolean;
    }
  | Unknown
  /** The transaction landed. The message says why its arrival is unknown. */
  | { readonly kind: 'landed'; readonly sent: Sent; readonly message: string }
  | Settling
  | { readonly kind: 'failed'; readonly failure: Failure; readonly intent: Intent | null };
