import type { Address } from '../../src/solana/address.ts';
import type { World } from './world/world.ts';

/**
 * What the explanation of a transaction comes to; `refused` where it is no transaction at all
 * (INVALID_TRANSACTION).
 */
export type Verdict = 'clear' | 'caution' | 'danger' | 'refused';

/** Whether a transaction is what a request asked for. */
export type Satisfied = 'yes' | 'no' | 'unverifiable';

/** Verdicts a row allows; where several are, a careful signer is served by each of them. */
export const CLEAR: readonly Verdict[] = ['clear'];
export const CAUTION: readonly Verdict[] = ['caution'];
export const DANGER: readonly Verdict[] = ['danger'];
export const NOT_CLEAR: readonly Verdict[] = ['caution', 'danger'];
/** Odd, but nothing is lost by it. */
export const NO_DANGER: readonly Verdict[] = ['clear', 'caution'];
export const REFUSED: readonly Verdict[] = ['refused'];
/** Only the request can tell: alone it may be what somebody wants. */
export const ANY: readonly Verdict[] = ['clear', 'caution', 'danger'];

/** What somebody is asked to sign. */
export interface Offer {
  readonly transactionBase64: string;
  /** The ledger the signer is told to send it to; left out where nobody says. */
  readonly sendTo?: 'base' | 'ephemeral';
  /** What the signer asked for. */
  readonly request?: {
    readonly operation: string;
    readonly arguments: object;
    readonly recentBlockhash?: string;
  };
  /** Bearer token of the one who looks. */
  readonly token?: string;
  readonly offline?: boolean;
  /** The ledger it has to be explained for, where `sendTo` does not say it. */
  readonly ledger?: 'base' | 'ephemeral';
  /**
   * Who gains by it: an explanation that is not `danger` has to name that account or owner among the
   * effects.
   */
  readonly gains?: Address;
}

/** One hostile transaction, and what has to be said of it. */
export interface Row<Place = World> {
  readonly name: string;
  readonly make: (place: Place) => Offer | Promise<Offer>;
  /** Verdicts without a request. */
  readonly alone: readonly Verdict[];
  /** Codes that must be among the findings without a request. */
  readonly codes?: readonly string[];
  /** What must be said with the request of the offer; `no` and `unverifiable` are never `yes`. */
  readonly asked?: readonly Satisfied[];
  /** Whether with that request it may be clear, though it is not without. */
  readonly isClearAsAsked?: boolean;
}
