import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { TransactionError } from '../transaction-error.ts';

/** A call of a program, made to see its answer. */
export interface ProgramCall {
  /** The program. */
  readonly address: Address;
  readonly data: Uint8Array;
  /** The number of accounts in the call. All of them are one wallet, which signs. */
  readonly accountCount: number;
}

/**
 * A step for the scratch process: set an account in its engine, name it as writable in a transaction, call it
 * as a program without accounts or data, or make a given call.
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
  /** How the given call ended; null if it succeeded. */
  readonly answer: TransactionError | null;
}
