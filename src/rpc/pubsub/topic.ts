import type { AccountTexts } from './account-texts.ts';
import type { Happening } from './happening.ts';

/** An index key under which topics are found for a happening. */
export interface Source {
  readonly kind:
    | 'account'
    | 'program'
    | 'mention'
    | 'signature'
    | 'transaction'
    | 'slot-ended'
    | 'slot-began';
  /** The address or signature; empty if the kind alone is enough. */
  readonly of: string;
}

/** Slots that end, and slots that begin. */
export const SLOT_ENDED: Source = { kind: 'slot-ended', of: '' };
export const SLOT_BEGAN: Source = { kind: 'slot-began', of: '' };

/** What can be subscribed to: a method with its parameters. */
export interface Topic {
  /** Equal exactly for equal parameters. */
  readonly key: string;
  /** The method name of its notifications, e.g. `accountNotification`. */
  readonly notification: string;
  /** Every happening it reports is found under one of these. */
  readonly sources: readonly Source[];
  /** Whether a subscription ends after its first notification (a signature lands once). */
  readonly endsWhenTold?: boolean;
  /** Whether everyone is notified, regardless of what they may see: its results reveal nothing private. */
  readonly isForAll?: boolean;
  /** The results of its notifications for a happening, as JSON text; empty if it does not apply. */
  results(happening: Happening, texts: AccountTexts): readonly string[];
  /** A past happening to report soon after the answer. */
  past?(): Happening | null;
}

/** Whether a topic examines the accounts of a program, which each topic does separately. */
export function searchesProgram({ sources }: Topic): boolean {
  return sources.some(({ kind }) => kind === 'program');
}

/** `value`, given as JSON text, together with its slot. Contexts of notifications have no version. */
export function inSlot(slot: number, value: string): string {
  return `{"context":{"slot":${slot}},"value":${value}}`;
}
