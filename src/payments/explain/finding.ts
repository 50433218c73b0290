/**
 * Something about a transaction that its signer should know. `danger`: do not sign unless you know why it is there;
 * `caution`: look at it; `note`: good to know.
 */
export interface Finding {
  readonly level: 'danger' | 'caution' | 'note';
  /** Stable. */
  readonly code: string;
  readonly message: string;
  /** Index of the instruction it is about. */
  readonly instruction?: number;
}
