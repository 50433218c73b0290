import type { FindingCode } from './finding-codes.ts';

/**
 * Something the signer of a transaction should know. `danger`: do not sign unless you know why it is there;
 * `caution`: look at it; `note`: good to know.
 */
export interface Finding {
  readonly level: 'danger' | 'caution' | 'note';
  readonly code: FindingCode;
  readonly message: string;
  /** Index of the instruction it concerns. */
  readonly instruction?: number;
}

/** A finding of a form in one call. The instruction is added to the message later. */
export type FormFinding = Omit<Finding, 'instruction'>;
