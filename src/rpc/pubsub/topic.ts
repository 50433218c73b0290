import type { AccountTexts } from './account-texts.ts';
import type { Happening } from './happening.ts';

/** Where to look for the topics that a happening concerns. */
export interface Source {
  readonly kind:
    | 'account'
    | 'program'
    | 'mention'
    | 'signature'
    | 'transaction'
    | 'slot-ended'
    | 'slot-began';
  /** The address or signature; empty where the kind says it all. */
  readonly of: string;
}

/** Slots that are over, and slots that begin. */
export const SLOT_ENDED: Source = { kind: 'slot-ended', of: '' };
export const SLOT_BEGAN: Source = { kind: 'slot-began', of: '' };

/** Something to subscribe to: a method with its parameters. */
export interface Topic {
  /** Equal for equal parameters, and for no others. */
  readonly key: string;
  /** The method name of its notifications, e.g. `accountNotification`. */
  readonly notification: string;
  /** Whatever it has something to tell of is found under one of these. */
  readonly sources: readonly Source[];
  /** Whether a subscription is over once it was told something (signatures land once). */
  readonly endsWhenTold?: boolean;
  /**
   * Whether everybody is told, whatever else they may see: its results say nothing that is hidden from
   * anybody.
   */
  readonly isForAll?: boolean;
  /** The results of its notifications of a happening, as JSON text; none when it does not care. */
  results(happening: Happening, texts: AccountTexts): readonly string[];
  /** What happened already and is told soon after the answer. */
  past?(): Happening | null;
}

/** Whether a topic looks through the accounts of a program, which all topics of the same program do anew. */
export function searchesProgram({ sources }: Topic): boolean {
  return sources.some(({ kind }) => kind === 'program');
}

/** `value`, given as JSON text, with the slot it holds at. Notifications do not name the node's version. */
export function inSlot(slot: number, value: string): string {
  return `{"context":{"slot":${slot}},"value":${value}}`;
}
