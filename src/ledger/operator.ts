import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';

/** What the one who runs a ledger may do to it, and a user never: no transaction, no signature, no block. */
export interface LedgerOperator {
  /**
   * Puts accounts in place. One with 0 lamports is removed. ProgramData have to come before their programs. Resolves
   * once they are durable.
   *
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  setAccounts(entries: readonly (readonly [Address, Account])[]): Promise<void>;
  /**
   * Jumps to a later slot; slots in between have no block. The time of the Clock sysvar goes on from `unixMs` when that
   * is given, else it moves by as many slots. Resolves once it is durable.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS for a slot or time that is not later, LEDGER_STOPPED.
   */
  travelTo(target: { readonly slot: number; readonly unixMs?: number }): Promise<void>;
  /** Stops slots from passing by themselves. */
  pauseClock(): void;
  /** Lets them pass again, from where they stopped. */
  resumeClock(): void;
  readonly isClockPaused: boolean;
  /** Throws away everything that happened and begins again as a new ledger begins, under a new genesis hash. */
  resetLedger(): Promise<void>;
}
