import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';

/**
 * A step for the scratch process: set an account in its engine, name it as writable in a transaction, or call
 * it as a program.
 */
export type DryRunStep =
  | { readonly kind: 'put'; readonly address: Address; readonly account: Account }
  | { readonly kind: 'lock'; readonly address: Address }
  | { readonly kind: 'call'; readonly address: Address };

/** The result of a step that the process survived. */
export interface DryRunReply {
  /** The engine's error; null if there was none. */
  readonly fault: string | null;
  /** Whether the called program ran at all. */
  readonly isCallable: boolean;
}
