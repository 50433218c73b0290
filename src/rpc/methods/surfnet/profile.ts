import { randomUUID } from 'node:crypto';
import { describeTransactionError } from '../../../ledger/describe-transaction-error.ts';
import type { Simulation } from '../../../ledger/execution.ts';
import type { LedgerReads } from '../../../ledger/ledger.ts';
import type { Account } from '../../../solana/account.ts';
import type { Address } from '../../../solana/address.ts';
import type { Transaction } from '../../../solana/transaction.ts';
import { allAccountKeys } from '../../../ledger/run/account-keys.ts';
import { writableKeys } from '../../transactions/account-keys.ts';
import { withFirstInstructions } from './instruction-prefix.ts';

/** The states of a transaction's accounts at one point; null for absent ones. */
export type States = ReadonlyMap<Address, Account | null>;

/** The effects of a run, or of one instruction. */
export interface Run {
  /** The writable accounts, before and after. */
  readonly before: States;
  readonly after: States;
  readonly computeUnits: number;
  readonly logs: readonly string[];
  readonly error: string | null;
}

/** A transaction as it would run. */
export interface Profile {
  readonly key: string;
  readonly slot: number;
  /** Every account it names, in order. */
  readonly keys: readonly Address[];
  /** The read-only accounts. */
  readonly readonlyStates: States;
  readonly transaction: Run;
  /** Up to and including the first that fails. */
  readonly instructions: readonly Run[];
}

/**
 * Profiles a transaction by simulation, signed or not and with any blockhash. Its instructions are profiled
 * by running the first one, the first two and so on: the effect of each is the difference.
 *
 * @throws {TransactionRejected} if the message is malformed or its lookup tables cannot be resolved.
 */
export function profileTransaction(ledger: LedgerReads, transaction: Transaction): Profile {
  const simulate = (part: Transaction): Simulation =>
    ledger.simulate(part, { verifySignatures: false, replaceBlockhash: true });
  const whole = simulate(transaction);
  const keys = allAccountKeys(transaction, whole.loadedAddresses);
  const writable = writableKeys(transaction, whole.loadedAddresses);
  const written = new Set(writable);
  const before = statesOf(writable, (address) => ledger.getAccount(address));
  const readonlyKeys = keys.filter((address) => !written.has(address));
  const instructions: Run[] = [];
  let last: Run = { before, after: before, computeUnits: 0, logs: [], error: null };
  let [units, logCount] = [0, 0];
  for (let count = 1; count <= transaction.instructions.length && last.error === null; count++) {
    const run = simulate(withFirstInstructions(transaction, count));
    last = {
      ...runOf(run, writable, last.after),
      computeUnits: run.computeUnits - units,
      logs: run.logs.slice(logCount),
    };
    [units, logCount] = [run.computeUnits, run.logs.length];
    instructions.push(last);
  }
  return {
    key: randomUUID(),
    slot: whole.slot,
    keys,
    readonlyStates: statesOf(readonlyKeys, (address) => ledger.getAccount(address)),
    transaction: runOf(whole, writable, before),
    instructions,
  };
}

function runOf(run: Simulation, writable: readonly Address[], before: States): Run {
  return {
    before,
    after: statesOf(writable, (address) => run.accountAfter(address)),
    computeUnits: run.computeUnits,
    logs: run.logs,
    error: run.err === null ? null : describeTransactionError(run.err),
  };
}

function statesOf(addresses: readonly Address[], read: (address: Address) => Account | null): States {
  return new Map(
    addresses.map((address) => {
      const account = read(address);
      return [address, account === null || account.lamports === 0n ? null : account];
    }),
  );
}
