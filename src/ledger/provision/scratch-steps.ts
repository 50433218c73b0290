import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TransactionError } from '../transaction-error.ts';

/** A call of a program to see what it answers. */
export interface ProgramCall {
  /** The program. */
  readonly address: Address;
  readonly data: Uint8Array;
  /** How many accounts the call names; all of them are one wallet, which signs. */
  readonly accountCount: number;
}

/**
 * One thing the scratch process is told to do with an account: put it into its engine, name it as writable in
 * a transaction, call it as a program without anything, or call it as it is told.
 */
export type DryRunStep =
  | ({ readonly kind: 'ask' } & ProgramCall)
  | { readonly kind: 'put'; readonly address: Address; readonly account: Account }
  | { readonly kind: 'lock'; readonly address: Address }
  | { readonly kind: 'call'; readonly address: Address };

/** The result of a step that the process survived. */
export interface DryRunReply {
  /** The engine's error; null if there was none. */
  readonly fault: string | null;
  /** Whether the called program ran at all. */
  readonly isCallable: boolean;
  /** How the call ended that it was told to make; null when it ended well. */
  readonly answer: TransactionError | null;
}
