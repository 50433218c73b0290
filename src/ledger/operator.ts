import type { Account } from '../solana/account.ts';
import type { Address } from '../solana/address.ts';
import type { TransactionRecord } from './execution.ts';

/** What the one who runs a ledger may do to it, and a user never: no transaction, no signature, no block. */
export interface LedgerOperator {
  /**
   * Puts accounts in place. One with 0 lamports is removed. ProgramData have to come before their programs.
   * They show in reads, and transactions run on them, when the call returns; it resolves once they are
   * durable.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS, and nothing has changed, for sysvars, programs that would be
   * none any more, programs without ProgramData, and what exceeds Solana's limits. INVALID_ARGUMENTS as well
   * for a program whose code does not load: those before it are in place. LEDGER_FULL, and nothing has
   * changed, where all accounts would have more bytes of data than they may. LEDGER_STOPPED.
   */
  setAccounts(entries: readonly (readonly [Address, Account])[]): Promise<void>;
  /**
   * Jumps to a later slot; slots in between have no block. The time of the Clock sysvar goes on from `unixMs`
   * when that is given, else it moves by as many slots. Epochs and time move; what is counted in blocks does
   * not, as on a validator that warps: a blockhash is good for 150 blocks, however many slots they take.
   * Shows in reads, and resolves, once it is durable; until then slots stand still.
   *
   * @throws {ServiceError} INVALID_ARGUMENTS for a slot or time that is not later, LEDGER_STOPPED.
   */
  travelTo(target: { readonly slot: number; readonly unixMs?: number }): Promise<void>;
  /**
   * Stops slots from passing by themselves, until they are let pass again or the ledger is closed: this is
   * not kept.
   */
  pauseClock(): void;
  /**
   * Lets them pass again, from where they stopped. The ledger's time has gone on meanwhile. Resolves once it
   * is durable.
   *
   * @throws {ServiceError} LEDGER_STOPPED.
   */
  resumeClock(): Promise<void>;
  readonly isClockPaused: boolean;
  /**
   * Throws away everything that happened and begins again as a new ledger begins, at its first slot and under
   * a new genesis hash. The keys of the node and of its faucet stay. Transactions that ran before land
   * before; while it is being done none are taken. Those who listen are told of every account that differs.
   *
   * @throws {ServiceError} LEDGER_STOPPED, also while another reset is under way, and what the genesis
   * throws; then nothing has changed.
   */
  resetLedger(): Promise<void>;
  /**
   * The up to `limit` transactions that landed last, the newest first; durable, as all that is told of
   * history.
   */
  newestTransactions(limit: number): readonly TransactionRecord[];
  /**
   * The accounts a new ledger would begin with, by address; the faucet is this one's. They are read anew.
   *
   * @throws {ServiceError} what the genesis throws.
   */
  genesisAccounts(): Promise<ReadonlyMap<Address, Account>>;
}
