import type { Account } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { Engine, EngineRun } from '../engine/engine.ts';
import type { Execution } from '../execution.ts';
import { TransactionRejected } from '../ledger.ts';
import type { AccountView } from '../state/account-state.ts';
import type { TransactionError } from '../transaction-error.ts';
import type { AccountKeys } from './account-keys.ts';
import { alignAccounts, chargeAccounts, type AccountStates } from './account-states.ts';
import { readComputeBudget } from './compute-budget.ts';
import { feePayerFault } from './fee-payer.ts';
import type { DataCeiling } from './data-ceiling.ts';
import { transactionFee } from './fee.ts';
import { lendFee, runForFree } from './free-run.ts';
import { loadedDataSize } from './loaded-data-size.ts';
import type { UsedNonce } from './nonce.ts';
import { collectTokenBalances } from './token-balances.ts';

/** What came of a transaction, before anybody decides whether to keep it. */
export interface Outcome {
  readonly execution: Execution;
  /** The accounts of the transaction before and after, by key index; undefined where there is none. */
  readonly before: AccountStates;
  readonly after: AccountStates;
  /** Whether the fee was charged, which is what makes a transaction land. */
  readonly charged: boolean;
  /** Accounts the run was supplied with, as they were then. */
  readonly supplied?: ReadonlyMap<Address, Account>;
  /** Accounts that change with it though it need not name them. */
  readonly also?: readonly (readonly [Address, Account])[];
}

/** What an execution is made of besides balances. */
type Result = Pick<
  Execution,
  'err' | 'fee' | 'innerInstructions' | 'logs' | 'returnData' | 'computeUnits' | 'loadedAccountsDataSize'
>;

const NOTHING_RAN: Result = {
  err: null,
  fee: null,
  innerInstructions: [],
  logs: [],
  returnData: null,
  computeUnits: 0,
  loadedAccountsDataSize: 0,
};

/**
 * Errors the engine finds while it loads accounts: the fee is charged and nothing runs (Agave
 * `FeesOnlyTransaction`).
 */
const LOAD_ERRORS: ReadonlySet<unknown> = new Set([
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
]);

/** Errors that were ruled out before the engine was asked. */
const SETTLED_ERRORS: ReadonlySet<unknown> = new Set([
  'AccountNotFound',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
]);

/** Errors of a message that makes no sense; {@link TransactionRejected} is what the ledger says to them. */
const MESSAGE_ERRORS: ReadonlySet<unknown> = new Set([
  'AccountLoadedTwice',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidAddressLookupTableOwner',
  'SanitizeFailure',
  'TooManyAccountLocks',
]);

/** Runs transactions on the accounts as they are and says what would come of it. Changes nothing. */
export class Executor {
  readonly #engine: Engine;
  readonly #accounts: AccountView;
  readonly #isFree: boolean;
  readonly #ceiling: DataCeiling | null;

  /**
   * @param isFree whether the ledger charges nothing; the engine always does.
   * @param ceiling none when left out.
   */
  constructor(
    engine: Engine,
    accounts: AccountView,
    {
      isFree = false,
      ceiling = null,
    }: { readonly isFree?: boolean; readonly ceiling?: DataCeiling | null } = {},
  ) {
    this.#engine = engine;
    this.#accounts = accounts;
    this.#isFree = isFree;
    this.#ceiling = ceiling;
  }

  /**
   * Runs a transaction whose blockhash or nonce is known to be good. `blockhash` is the newest one.
   *
   * @throws {TransactionRejected} when the engine finds the message senseless.
   */
  execute(
    transaction: Transaction,
    keys: AccountKeys,
    blockhash: Uint8Array,
    nonce: UsedNonce | null,
  ): Outcome {
    const before = this.#statesOf(keys);
    const budget = readComputeBudget(transaction);
    if ('err' in budget) return this.refuse(transaction, keys, budget.err);
    const engineFee = transactionFee(transaction, budget);
    const fee = this.#isFree ? 0n : engineFee;
    const payer = this.#isFree ? lendFee(before[0], engineFee) : before[0];
    const fault = feePayerFault(payer, engineFee);
    if (fault !== null) return this.refuse(transaction, keys, fault);

    const run = this.#isFree
      ? this.#runForFree(transaction, keys, blockhash, before[0], payer as Account)
      : this.#engine.run(transaction, blockhash, keys.addresses);
    const written = run.err === null ? alignAccounts(transaction, keys, before, run.accounts) : null;
    const err =
      written === null ? explainError(run.err, transaction, before) : this.#ceilingFault(before, written);
    const after = err === null && written !== null ? written : chargeAccounts(keys, before, fee, nonce);
    assertConserved(before, after, fee);
    const { innerInstructions, logs, returnData, computeUnits } = run;
    const loadedAccountsDataSize = LOAD_ERRORS.has(err)
      ? rollbackSize(before, nonce)
      : loadedDataSize(keys.addresses, before, transaction.lookups.length, this.#accounts);
    const result = { err, fee, innerInstructions, logs, returnData, computeUnits, loadedAccountsDataSize };
    return this.#conclude(transaction, keys, before, after, result);
  }

  /** What comes of a transaction that is turned away for `err` before it is charged: nothing changes. */
  refuse(transaction: Transaction, keys: AccountKeys, err: TransactionError): Outcome {
    const states = this.#statesOf(keys);
    return this.#conclude(transaction, keys, states, states, { ...NOTHING_RAN, err });
  }

  /**
   * What comes of a transaction that the rules of the ledger do not allow: it lands, is charged nothing, and
   * nothing changes. `run` is what it did before that was found.
   */
  fail(
    transaction: Transaction,
    keys: AccountKeys,
    err: TransactionError,
    run: Result = NOTHING_RAN,
  ): Outcome {
    const states = this.#statesOf(keys);
    return this.#conclude(transaction, keys, states, states, { ...run, err, fee: 0n });
  }

  /** What comes of a transaction that is not signed well: its accounts are not even looked at. */
  refuseSignatures(keys: AccountKeys): Outcome {
    const execution = {
      ...NOTHING_RAN,
      err: 'SignatureFailure',
      preBalances: null,
      postBalances: null,
      preTokenBalances: null,
      postTokenBalances: null,
      loadedAddresses: keys.loaded,
    };
    const states = this.#statesOf(keys);
    return { execution, before: states, after: states, charged: false };
  }

  /** Found after the run, as rent is: what a transaction adds is not known before. The fee is charged. */
  #ceilingFault(before: AccountStates, after: AccountStates): TransactionError | null {
    return this.#ceiling?.isExceededBy(before, after) === true ? 'WouldExceedAccountDataTotalLimit' : null;
  }

  #runForFree(
    transaction: Transaction,
    { addresses }: AccountKeys,
    blockhash: Uint8Array,
    payer: Account | undefined,
    lent: Account,
  ): EngineRun {
    const address = transaction.staticKeys[0] as Address;
    return runForFree(this.#engine, transaction, blockhash, addresses, { address, account: payer, lent });
  }

  #statesOf(keys: AccountKeys): AccountStates {
    return keys.addresses.map((address) => this.#accounts.get(address));
  }

  #conclude(
    transaction: Transaction,
    keys: AccountKeys,
    before: AccountStates,
    after: AccountStates,
    result: Result,
  ): Outcome {
    const states = { before, after };
    const tokens = collectTokenBalances(transaction, keys.addresses, states, this.#accounts);
    // Spelled out: members behind a spread would make V8 lay out another kind of object each time, at 1 us
    // for each.
    const execution = {
      err: result.err,
      fee: result.fee,
      preBalances: before.map(lamportsOf),
      postBalances: after.map(lamportsOf),
      preTokenBalances: tokens.preTokenBalances,
      postTokenBalances: tokens.postTokenBalances,
      innerInstructions: result.innerInstructions,
      logs: result.logs,
      loadedAddresses: keys.loaded,
      returnData: result.returnData,
      computeUnits: result.computeUnits,
      loadedAccountsDataSize: result.loadedAccountsDataSize,
    };
    return { execution, before, after, charged: result.fee !== null };
  }
}

/** The engine takes a missing program for one that is not executable; Agave tells the two apart. */
function explainError(
  err: TransactionError | null,
  transaction: Transaction,
  before: AccountStates,
): TransactionError | null {
  if (err === null || typeof err !== 'string') return err;
  if (MESSAGE_ERRORS.has(err)) throw new TransactionRejected(err);
  if (SETTLED_ERRORS.has(err)) throw new Error(`the engine found ${err} where the ledger had not`);
  if (err !== 'InvalidProgramForExecution') return err;
  for (const { programIdIndex } of transaction.instructions) {
    const program = before[programIdIndex];
    if (program === undefined) return 'ProgramAccountNotFound';
    if (!program.executable) return err;
  }
  return err;
}

/** Bytes of the accounts that are written back when nothing ran (Agave `RollbackAccounts::data_size`). */
function rollbackSize(before: AccountStates, nonce: UsedNonce | null): number {
  const payerSize = before[0]?.data.length ?? 0;
  const nonceSize = nonce === null || nonce.isFeePayer ? 0 : nonce.advanced.data.length;
  return payerSize + nonceSize;
}

/** Lamports are neither made nor lost but for the fee: else the fee was computed wrongly. */
function assertConserved(before: AccountStates, after: AccountStates, fee: bigint): void {
  let difference = fee;
  for (const account of after) difference += lamportsOf(account);
  for (const account of before) difference -= lamportsOf(account);
  if (difference === 0n) return;
  throw new Error(`a transaction charged ${fee} lamports changed the total by ${difference - fee}`);
}

function lamportsOf(account: Account | undefined): bigint {
  return account?.lamports ?? 0n;
}
