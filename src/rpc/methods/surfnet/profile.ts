import { randomUUID } from 'node:crypto';
import type { LedgerReads, Simulation } from '../../../ledger/ledger.ts';
import { allAccountKeys } from '../../../ledger/run/account-keys.ts';
import { describeTransactionError } from '../../../ledger/transaction-errors.ts';
import type { Account } from '../../../solana/account.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import { compactU16Size, writeCompactU16 } from '../../../solana/message.ts';
import { SIGNATURE_BYTES } from '../../../solana/signature.ts';
import {
  type CompiledInstruction,
  decodeTransaction,
  type Transaction,
  type TransactionConfig,
} from '../../../solana/transaction.ts';
import { writableKeys } from '../../transactions/account-keys.ts';

/** A transaction with only its first `count` instructions, but all its keys. Its signatures are invalid. */
export function withFirstInstructions(transaction: Transaction, count: number): Transaction {
  const { wire, version, blockhashAt, instructions, lookups } = transaction;
  const kept = instructions.slice(0, count);
  if (transaction.config !== null) return prefixOfV1(transaction, transaction.config, kept);
  const pieces = [wire.subarray(0, blockhashAt + 32), compact(kept.length)];
  for (const { programIdIndex, accounts, data } of kept) {
    pieces.push(Uint8Array.of(programIdIndex), ...counted(accounts), ...counted(data));
  }
  if (version === 0) {
    pieces.push(compact(lookups.length));
    for (const { table, writable, readonly } of lookups) {
      pieces.push(addressBytes(table), ...counted(writable), ...counted(readonly));
    }
  }
  return decodeTransaction(new Uint8Array(Buffer.concat(pieces)));
}

/** The counts lie behind the blockhash, and the signatures, here zeros, behind all. */
function prefixOfV1(
  { wire, keysAt, staticKeys, requiredSignatures }: Transaction,
  { priorityFee, computeUnitLimit, loadedAccountsDataSizeLimit, heapSize }: TransactionConfig,
  kept: readonly CompiledInstruction[],
): Transaction {
  const limits = [computeUnitLimit, loadedAccountsDataSizeLimit, heapSize].filter((limit) => limit !== null);
  const headsAt = keysAt + 32 * staticKeys.length + (priorityFee === null ? 0 : 8) + 4 * limits.length;
  const head = Uint8Array.from(wire.subarray(0, headsAt));
  head[keysAt - 2] = kept.length;
  const pieces = [
    head,
    ...kept.map(({ programIdIndex, accounts, data }) =>
      Uint8Array.of(programIdIndex, accounts.length, data.length & 0xff, data.length >> 8),
    ),
    ...kept.flatMap(({ accounts, data }) => [accounts, data]),
    new Uint8Array(requiredSignatures * SIGNATURE_BYTES),
  ];
  return decodeTransaction(new Uint8Array(Buffer.concat(pieces)));
}

const counted = (bytes: Uint8Array): readonly Uint8Array[] => [compact(bytes.length), bytes];

function compact(value: number): Uint8Array {
  const bytes = new Uint8Array(compactU16Size(value));
  writeCompactU16(bytes, 0, value);
  return bytes;
}

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
