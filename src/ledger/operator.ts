import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { TransactionRecord } from './execution.ts';

/** What only the operator of a ledger may do. None of it is a transaction. */
export interface LedgerOperator {
  /**
   * Sets accounts. One with 0 lamports is removed. ProgramData must come before their programs. The accounts
   * are visible when the call returns; the promise resolves once they are durable.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS, with nothing changed, for sysvars, programs that would no
   *   longer be programs, programs without ProgramData, and accounts beyond Solana's limits.
   *   INVALID_ARGUMENTS for a program whose code does not load: the accounts before it are set. LEDGER_FULL,
   *   with nothing changed, if the total data would exceed its limit. LEDGER_STOPPED.
   */
  setAccounts(entries: readonly (readonly [Address, Account])[]): Promise<void>;
  /**
   * Jumps to a later slot; the slots in between have no block. The time of the Clock sysvar continues from
   * `unixMs` if given, and otherwise moves by as many slots. Epochs and time move, but nothing that is
   * counted in blocks, as on a validator that warps: a blockhash is valid for 150 blocks, regardless of
   * slots. The jump is visible, and the promise resolves, once it is durable; until then slots do not
   * advance.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS for a slot or time that is not later, LEDGER_STOPPED.
   */
  travelTo(target: { readonly slot: number; readonly unixMs?: number }): Promise<void>;
  /**
   * Stops slots from advancing until {@link resumeClock} is called or the ledger is closed. Not stored.
   */
  pauseClock(): void;
  /**
   * Lets slots advance again, from where they stopped. The ledger's time has continued in the meantime.
   * Resolves once this is durable.
   *
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  resumeClock(): Promise<void>;
  readonly isClockPaused: boolean;
  /**
   * Replaces the ledger with a new one that has its first slot and a new genesis hash. The keys of the node
   * and of its faucet stay. No transactions are accepted during the reset. Listeners get an event with every
   * account that differs.
   *
   * @throws {ServiceError} LEDGER_STOPPED, also during another reset, and the errors of the genesis; nothing
   *   has changed then.
   */
  resetLedger(): Promise<void>;
  /**
   * The last `limit` transactions, newest first. All are durable.
   */
  newestTransactions(limit: number): readonly TransactionRecord[];
  /**
   * Reads the accounts that a new ledger with this faucet would start with, by address.
   *
   * @throws {ServiceError} the errors of the genesis.
   */
  genesisAccounts(): Promise<ReadonlyMap<Address, Account>>;
}
