import type { TransactionRecord } from '../../ledger/execution.ts';
import { addressOf } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Transaction } from '../../solana/transaction.ts';
import type { JsonOutput, JsonOutputObject } from '../../json/json-value.ts';
import { showParsedInstruction } from '../parsed/parse-instruction.ts';
import type { TransactionEncoding } from '../wire/encoded-transaction.ts';
import { allAccountKeys } from '../../ledger/run/account-keys.ts';
import { showAccountKeys } from './account-keys.ts';
import { costUnits } from './cost-units.ts';
import {
  showCompiledInstruction,
  showInnerInstructions,
  showLoadedAddresses,
  showParsedInnerInstructions,
  showReturnData,
  showTokenBalances,
} from './execution-parts.ts';
import { showStatus } from './transaction-status.ts';

/** The stack height of a transaction's own instructions (`TRANSACTION_LEVEL_STACK_HEIGHT`). */
const TOP_STACK_HEIGHT = 1;

/** A transaction with its outcome, as `getTransaction` and `getBlock` show it. */
interface ShownTransaction {
  readonly meta: JsonOutput;
  readonly transaction: JsonOutput;
}

/**
 * A landed transaction in the given encoding (Agave `EncodedTransactionWithStatusMeta`, without the version).
 *
 * @param transaction the decoded wire bytes of the record.
 * @param showsRewards whether the caller wants rewards, of which there are none.
 */
export function showTransaction(
  record: TransactionRecord,
  transaction: Transaction,
  encoding: TransactionEncoding,
  showsRewards = true,
): ShownTransaction {
  return {
    meta: {
      ...showMeta(record, transaction, encoding === 'jsonParsed'),
      rewards: showsRewards ? [] : null,
      status: showStatus(record.err),
    },
    transaction: showEncoded(record, transaction, encoding),
  };
}

/** The accounts and balances of a landed transaction (Agave `UiAccountsList` with `build_simple`). */
export function showTransactionAccounts(
  record: TransactionRecord,
  transaction: Transaction,
  showsRewards: boolean,
): ShownTransaction {
  return {
    meta: {
      err: record.err,
      fee: record.fee,
      postBalances: record.postBalances,
      postTokenBalances: showTokenBalances(record.postTokenBalances),
      preBalances: record.preBalances,
      preTokenBalances: showTokenBalances(record.preTokenBalances),
      rewards: showsRewards ? [] : undefined,
      status: showStatus(record.err),
    },
    transaction: {
      accountKeys: showAccountKeys(transaction, record.loadedAddresses),
      signatures: showSignatures(transaction),
    },
  };
}

function showEncoded(
  record: TransactionRecord,
  transaction: Transaction,
  encoding: TransactionEncoding,
): JsonOutput {
  switch (encoding) {
    case 'binary':
      return encodeBase58(record.wire);
    case 'base58':
      return [encodeBase58(record.wire), 'base58'];
    case 'base64':
      return [Buffer.from(record.wire).toString('base64'), 'base64'];
    case 'json':
      return { message: showMessage(transaction), signatures: showSignatures(transaction) };
    case 'jsonParsed':
      return { message: showParsedMessage(record, transaction), signatures: showSignatures(transaction) };
  }
}

function showMessage(transaction: Transaction): JsonOutput {
  return {
    accountKeys: transaction.staticKeys,
    addressTableLookups: showLookups(transaction),
    header: {
      numReadonlySignedAccounts: transaction.readonlySigned,
      numReadonlyUnsignedAccounts: transaction.readonlyUnsigned,
      numRequiredSignatures: transaction.requiredSignatures,
    },
    instructions: transaction.instructions.map((instruction) =>
      showCompiledInstruction(instruction, TOP_STACK_HEIGHT),
    ),
    recentBlockhash: blockhashOf(transaction),
    transactionConfig: showConfig(transaction),
  };
}

function showParsedMessage(record: TransactionRecord, transaction: Transaction): JsonOutput {
  const keys = allAccountKeys(transaction, record.loadedAddresses);
  return {
    accountKeys: showAccountKeys(transaction, record.loadedAddresses),
    addressTableLookups: showLookups(transaction),
    instructions: transaction.instructions.map((instruction) =>
      showParsedInstruction(instruction, keys, TOP_STACK_HEIGHT),
    ),
    recentBlockhash: blockhashOf(transaction),
    transactionConfig: showConfig(transaction),
  };
}

/** Undefined but for version 1, which alone has it (Agave 4.2 `UiTransactionConfig`). */
function showConfig({ config }: Transaction): JsonOutput | undefined {
  if (config === null) return undefined;
  const { computeUnitLimit, heapSize, loadedAccountsDataSizeLimit, priorityFee } = config;
  return { computeUnitLimit, heapSize, loadedAccountsDataSizeLimit, priorityFee };
}

/** Undefined but for v0, which alone has them. */
function showLookups(transaction: Transaction): JsonOutput | undefined {
  if (transaction.version !== 0) return undefined;
  return transaction.lookups.map(({ table, readonly, writable }) => ({
    accountKey: table,
    readonlyIndexes: [...readonly],
    writableIndexes: [...writable],
  }));
}

/** The outcome as all encodings show it, up to the rewards. */
function showMeta(record: TransactionRecord, transaction: Transaction, parsed: boolean): JsonOutputObject {
  return {
    computeUnitsConsumed: record.computeUnits,
    costUnits: costUnits(transaction, record),
    err: record.err,
    fee: record.fee,
    innerInstructions: parsed
      ? showParsedInnerInstructions(record, allAccountKeys(transaction, record.loadedAddresses))
      : showInnerInstructions(record),
    loadedAddresses: parsed ? undefined : showLoadedAddresses(record.loadedAddresses),
    logMessages: record.logs,
    postBalances: record.postBalances,
    postTokenBalances: showTokenBalances(record.postTokenBalances),
    preBalances: record.preBalances,
    preTokenBalances: showTokenBalances(record.preTokenBalances),
    returnData: showReturnData(record) ?? undefined,
  };
}

function showSignatures(transaction: Transaction): readonly string[] {
  return transaction.signatures.map(encodeBase58);
}

function blockhashOf({ wire, blockhashAt }: Transaction): string {
  return addressOf(wire.subarray(blockhashAt, blockhashAt + 32));
}
