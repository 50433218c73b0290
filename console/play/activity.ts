import type { Found } from '../payments/look-up.ts';
import type { Proposal } from '../payments/proposal.ts';
import type { Sent } from '../payments/submit.ts';
import type { Failure } from './failure.ts';
import type { Intent } from './intent.ts';

/** A transaction of which no one knows whether it landed: it is looked up, and nothing is built meanwhile. */
export interface Unknown {
  readonly kind: 'unknown';
  /** Null after a reload of the page, which stores only the signature. */
  readonly intent: Intent | null;
  readonly sent: Sent;
  /** What comes after it. */
  readonly queue: readonly Intent[];
  /** Why the service could not say; null if it was only not seen to land. */
  readonly fault: string | null;
  /** What its ledger said last; null before it has. */
  readonly found: Found | null;
  /** Whether it is being looked up; otherwise someone has to ask for it. */
  readonly isLooking: boolean;
}

/** An account that was asked back: base is looked at until it shows it. */
export interface Settling {
  readonly kind: 'settling';
  readonly wallet: string;
  readonly sinceMs: number;
  readonly looks: number;
  /** Whether base answered the last look. */
  readonly isRead: boolean;
  /** Whether base is being looked at; otherwise someone has to ask for it. */
  readonly isLooking: boolean;
}

/** The state of the stage. */
export type Activity =
  | { readonly kind: 'rest' }
  | { readonly kind: 'busy'; readonly words: string }
  /** Waits for a signature; `queue` comes next. */
  | {
      readonly kind: 'sign';
      readonly intent: Intent;
      readonly proposal: Proposal;
      readonly queue: readonly Intent[];
      /** Whether it changed since it was first shown, and was not signed. */
      readonly hasChanged: boolean;
    }
  | Unknown
  /** It has landed; the message says why it is not known to have arrived. */
  | { readonly kind: 'landed'; readonly sent: Sent; readonly message: string }
  | Settling
  | { readonly kind: 'failed'; readonly failure: Failure; readonly intent: Intent | null };
