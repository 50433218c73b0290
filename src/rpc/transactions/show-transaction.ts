import { isUtf8 } from 'node:buffer';
import type { JsonOutput, JsonOutputObject } from '../../json/json-value.ts';
import type { TransactionRecord } from '../../ledger/execution.ts';
import { allAccountKeys } from '../../ledger/run/account-keys.ts';
import type { TransactionError } from '../../ledger/transaction-error.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { decodeTransaction, type Transaction } from '../../solana/transaction.ts';
import { invalidParams, RpcError, UNSUPPORTED_TRANSACTION_VERSION } from '../errors.ts';
import { MEMO_PROGRAMS } from '../parsed/small-programs.ts';
import { showParsedInstruction } from '../parsed/parse-instruction.ts';
import type { TransactionEncoding } from '../wire/encoded-transaction.ts';
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

/**
 * Refuses `processed` where Agave does. This ledger has a single head, but clients should meet here what a
 * cluster would answer.
 *
 * @throws {RpcError} -32602 with the text of Agave's `check_is_at_least_confirmed`.
 */
export function refuseProcessed(commitment: Commitment | undefined): void {
  if (commitment === 'processed') {
    throw invalidParams('Method does not support commitment below `confirmed`');
  }
}

const MEMO_KEYS = MEMO_PROGRAMS.map((program) => Buffer.from(addressBytes(program)));

/**
 * The memos of a transaction's own instructions, each with its length in bytes: `[5] hello; [2]
 * (unparseable)`. Null if there are none (Agave `extract_and_fmt_memos`).
 */
export function describeMemos({ wire }: Pick<TransactionRecord, 'wire'>): string | null {
  // A page of history has a thousand transactions, and hardly any of them uses a memo program, so search the
  // bytes before decoding.
  const bytes = Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength);
  if (!MEMO_KEYS.some((key) => bytes.includes(key))) return null;
  const { instructions, staticKeys } = decodeTransaction(wire);
  const memos = instructions
    .filter(({ programIdIndex }) => MEMO_PROGRAMS.includes(staticKeys[programIdIndex] as Address))
    .map(({ data }) => `[${data.length}] ${isUtf8(data) ? Buffer.from(data).toString() : '(unparseable)'}`);
  return memos.length === 0 ? null : memos.join('; ');
}

/** The outcome as a Rust `Result`, the older of the two forms that answers contain. */
export function showStatus(err: TransactionError | null): JsonOutput {
  return err === null ? { Ok: null } : { Err: err };
}

/**
 * The version of a transaction as shown to a client that supports versions up to `versionMax`. A client that
 * states none is an old one: it gets only legacy transactions, without a version member.
 *
 * @throws {RpcError} -32015 for a version the client does not support.
 */
export function showVersion(
  { version }: Transaction,
  versionMax: number | undefined,
): 'legacy' | number | undefined {
  if (version === 'legacy') return versionMax === undefined ? undefined : version;
  if (versionMax !== undefined && version <= versionMax) return version;
  throw new RpcError(
    UNSUPPORTED_TRANSACTION_VERSION,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with ` +
      `the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );
}

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
