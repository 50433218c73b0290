import type { Address } from '../../src/solana/address.ts';
import type { World } from './world/world.ts';

/** The verdict on a transaction; `refused` if the bytes are not a transaction (INVALID_TRANSACTION). */
export type Verdict = 'clear' | 'caution' | 'danger' | 'refused';

/** Whether a transaction satisfies a request. */
export type Satisfied = 'yes' | 'no' | 'unverifiable';

/** Verdicts that a row allows. If there are several, each is safe for a careful signer. */
export const CLEAR: readonly Verdict[] = ['clear'];
export const CAUTION: readonly Verdict[] = ['caution'];
export const DANGER: readonly Verdict[] = ['danger'];
export const NOT_CLEAR: readonly Verdict[] = ['caution', 'danger'];
/** Unusual, but harmless. */
export const NO_DANGER: readonly Verdict[] = ['clear', 'caution'];
export const REFUSED: readonly Verdict[] = ['refused'];
/** Depends on the request. Without one, the transaction may be intended. */
export const ANY: readonly Verdict[] = ['clear', 'caution', 'danger'];

/** A transaction that a wallet is asked to sign. */
export interface Offer {
  readonly transactionBase64: string;
  /** The ledger that the signer is asked to send it to, if any. */
  readonly sendTo?: 'base' | 'ephemeral';
  /** The signer's request. */
  readonly request?: {
    readonly operation: string;
    readonly arguments: object;
    readonly recentBlockhash?: string;
  };
  /** Bearer token of the caller. */
  readonly token?: string;
  readonly offline?: boolean;
  /** The ledger that the explanation must choose if `sendTo` is absent. */
  readonly ledger?: 'base' | 'ephemeral';
  /** The beneficiary. Unless the verdict is `danger`, the effects must include that account or owner. */
  readonly gains?: Address;
}

/** A hostile transaction with its expected explanation. */
export interface Row<Place = World> {
  readonly name: string;
  readonly make: (place: Place) => Offer | Promise<Offer>;
  /** Verdicts without a request. */
  readonly alone: readonly Verdict[];
  /** Codes of findings that are required without a request. */
  readonly codes?: readonly string[];
  /** Allowed results with the request of the offer. */
  readonly asked?: readonly Satisfied[];
  /** Whether it may be clear with that request although it is not without one. */
  readonly isClearAsAsked?: boolean;
}
