import { decodeRent, RENT_SYSVAR } from '../../programs/sysvars.ts';
import { type Account, LOCAL_RENT, type Rent } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { Engine, EngineRun } from '../engine/engine.ts';
import { type Execution, TransactionRejected } from '../ledger.ts';
import type { AccountView } from '../state/accounts.ts';
import type { TransactionError } from '../transaction-errors.ts';
import type { AccountKeys } from './account-keys.ts';
import {
  type AccountStates,
  alignAccounts,
  chargeAccounts,
  type DataCeiling,
  loadedDataSize,
} from './account-states.ts';
import { feePayerFault, lendFee, readComputeBudget, runForFree, transactionFee } from './fee.ts';
import type { UsedNonce } from './nonce.ts';
import { collectTokenBalances } from './token-balances.ts';

/** The decision of a ledger's rules on a successful transaction. */
export type Verdict =
  /** The transaction fails, and nothing changes. */
  (
    | { readonly err: TransactionError }
    /** Accounts that change in the same commit; the transaction need not name them. */
    | { readonly also: readonly (readonly [Address, Account])[] }
  ) & {
    /** Lines appended to the transaction's logs. */
    readonly logs?: readonly string[];
  };

/**
 * Rules of a ledger in addition to Solana's. A transaction that breaks a rule lands as failed. Simulations
 * call the methods too, so they must not have side effects.
 */
export interface LedgerRules {
  /** Checks a transaction right before it runs. Returns the error that stops it, or null. */
  admit(transaction: Transaction, keys: AccountKeys): TransactionError | null;
  /**
   * Called after every run, even a failed one. Returns the missing accounts that the transaction needs. It
   * runs again with them until none are missing. Accounts that the last run did not change are dropped.
   */
  supply?(
    transaction: Transaction,
    keys: AccountKeys,
    outcome: Outcome,
  ): readonly (readonly [Address, Account])[];
  /** Checks a transaction after it ran successfully. */
  check(transaction: Transaction, keys: AccountKeys, outcome: Outcome): Verdict;
}

/** The result of a transaction, which may still be discarded. */
export interface Outcome {
  readonly execution: Execution;
  /** The accounts of the transaction before and after, by key index; undefined for absent accounts. */
  readonly before: AccountStates;
  readonly after: AccountStates;
  /** Whether the fee was charged. Only charged transactions land. */
  readonly charged: boolean;
  /** The accounts supplied to the run, in their state before it. */
  readonly supplied?: ReadonlyMap<Address, Account>;
  /** Accounts that change in the same commit; the transaction need not name them. */
  readonly also?: readonly (readonly [Address, Account])[];
}

type Result = Pick<
  Execution,
  'err' | 'fee' | 'innerInstructions' | 'logs' | 'returnData' | 'computeUnits' | 'loadedAccountsDataSize'
>;

/** The result of a run, with the accounts after it if it succeeded and paid its fee. */
interface Ran extends Omit<EngineRun, 'accounts'> {
  readonly written: AccountStates | null;
}

const NOTHING_RAN: Result = {
  err: null,
  fee: null,
  innerInstructions: [],
  logs: [],
  returnData: null,
  computeUnits: 0,
  loadedAccountsDataSize: 0,
};

/** Errors while loading accounts. The fee is charged and nothing runs (Agave `FeesOnlyTransaction`). */
const LOAD_ERRORS: ReadonlySet<unknown> = new Set([
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
]);

/** Errors that the ledger itself has already ruled out. */
const SETTLED_ERRORS: ReadonlySet<unknown> = new Set([
  'AccountNotFound',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
]);

/** Errors of a malformed message. The ledger throws {@link TransactionRejected} for them. */
const MESSAGE_ERRORS: ReadonlySet<unknown> = new Set([
  'AccountLoadedTwice',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidAddressLookupTableOwner',
  'SanitizeFailure',
  'TooManyAccountLocks',
]);

/** Runs transactions on the current accounts and returns the outcome without applying it. */
export class Executor {
  readonly #engine: Engine;
  readonly #accounts: AccountView;
  readonly #isFree: boolean;
  readonly #ceiling: DataCeiling | null;

  /**
   * @param isFree whether the ledger charges no fees. The engine always charges them.
   * @param ceiling the limit on account data; default none.
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
   * Runs a transaction whose blockhash or nonce was already accepted.
   *
   * @param blockhash the newest blockhash.
   * @throws {TransactionRejected} if the engine finds the message malformed.
   */
  execute(
    transaction: Transaction,
    keys: AccountKeys,
    blockhash: Uint8Array,
    nonce: UsedNonce | null,
  ): Outcome {
    const before = this.#statesOf(keys);
    const budget = readComputeBudget(transaction);
    // An invalid budget is reported before a payer that cannot pay, as in Agave.
    if ('err' in budget) return this.refuse(transaction, keys, budget.err);
    const engineFee = transactionFee(transaction, budget);
    const fee = this.#isFree ? 0n : engineFee;
    const payer = this.#isFree ? lendFee(before[0], engineFee) : before[0];
    const fault = feePayerFault(payer, engineFee, this.#rent());
    if (fault !== null) return this.refuse(transaction, keys, fault);

    const run = this.#runOnEngine(transaction, keys, before, blockhash, payer as Account);
    const { written } = run;
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

  /** Returns the outcome of a transaction that is rejected before it is charged. Nothing changes. */
  refuse(transaction: Transaction, keys: AccountKeys, err: TransactionError): Outcome {
    const states = this.#statesOf(keys);
    return this.#conclude(transaction, keys, states, states, { ...NOTHING_RAN, err });
  }

  /**
   * Returns the outcome of a transaction that breaks a rule of the ledger. The transaction lands without a
   * fee and changes nothing.
   *
   * @param run the result of the transaction before the rule was checked.
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

  /** Returns the outcome of a transaction with an invalid signature. Its accounts are not read. */
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

  /** Checks the limit after the run, because the growth is not known before. The fee is charged. */
  #ceilingFault(before: AccountStates, after: AccountStates): TransactionError | null {
    return this.#ceiling?.isExceededBy(before, after) === true ? 'WouldExceedAccountDataTotalLimit' : null;
  }

  /** @param payer the account that is charged. On a free ledger it includes the lent fee. */
  #runOnEngine(
    transaction: Transaction,
    keys: AccountKeys,
    before: AccountStates,
    blockhash: Uint8Array,
    payer: Account,
  ): Ran {
    const { addresses } = keys;
    const address = addresses[0] as Address;
    const { err, accounts, logs, computeUnits, innerInstructions, returnData } = this.#isFree
      ? runForFree(this.#engine, transaction, blockhash, addresses, {
          address,
          account: before[0],
          lent: payer,
        })
      : this.#engine.run(transaction, blockhash, addresses);
    const written = err === null ? alignAccounts(transaction, keys, before, accounts) : null;
    return { err, written, logs, computeUnits, innerInstructions, returnData };
  }

  /** Reads the Rent sysvar, which every ledger has except in some tests. */
  #rent(): Rent {
    return decodeRent(this.#accounts.get(RENT_SYSVAR) ?? null) ?? LOCAL_RENT;
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
    // Avoids a spread, which creates a new hidden class in V8 each time and costs about 1 us.
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

/** Distinguishes a missing program from one that is not executable, as Agave does. The engine does not. */
function explainError(
  err: TransactionError | null,
  transaction: Transaction,
  before: AccountStates,
): TransactionError | null {
  if (err === null || typeof err !== 'string') return err;
  if (MESSAGE_ERRORS.has(err)) throw new TransactionRejected(err);
  // The ledger has ruled these out, so the engine's accounts differ from the ledger's.
  if (SETTLED_ERRORS.has(err)) throw new Error(`the engine reports ${err}, which the ledger has ruled out`);
  if (err !== 'InvalidProgramForExecution') return err;
  for (const { programIdIndex } of transaction.instructions) {
    const program = before[programIdIndex];
    if (program === undefined) return 'ProgramAccountNotFound';
    if (!program.executable) return err;
  }
  return err;
}

/** Returns the bytes of the accounts written if nothing ran (Agave `RollbackAccounts::data_size`). */
function rollbackSize(before: AccountStates, nonce: UsedNonce | null): number {
  const payerSize = before[0]?.data.length ?? 0;
  const nonceSize = nonce === null || nonce.isFeePayer ? 0 : nonce.advanced.data.length;
  return payerSize + nonceSize;
}

/** Checks that a transaction changed the total of lamports only by the fee. */
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
