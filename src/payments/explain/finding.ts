import type { FindingCode } from './finding-codes.ts';

/**
 * Something about a transaction that its signer should know. `danger`: do not sign unless you know why it is there;
 * `caution`: look at it; `note`: good to know.
 */
export interface Finding {
  readonly level: 'danger' | 'caution' | 'note';
  readonly code: FindingCode;
  readonly message: string;
  /** Index of the instruction it is about. */
  readonly instruction?: number;
}

/** What a form finds in one call; which instruction that is stands before the message in the end. */
export type FormFinding = Omit<Finding, 'instruction'>;
