import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/**
 * One thing the scratch process is told to do with an account: put it into its engine, name it as writable in
 * a transaction, or call it as a program.
 */
export type DryRunStep =
  | { readonly kind: 'put'; readonly address: Address; readonly account: Account }
  | { readonly kind: 'lock'; readonly address: Address }
  | { readonly kind: 'call'; readonly address: Address };

/** What came of a step that the process survived. */
export interface DryRunReply {
  /** In the engine's words; null when it found none. */
  readonly fault: string | null;
  /** Whether the program that was called ran at all. */
  readonly isCallable: boolean;
}
