import { isUtf8 } from 'node:buffer';
import { type JsonOutput, type JsonOutputObject, JsonText } from '../../json/write-json.ts';
import type {
  Execution,
  InnerInstruction,
  LoadedAddresses,
  TokenBalance,
  TransactionRecord,
} from '../../ledger/ledger.ts';
import { allAccountKeys } from '../../ledger/run/account-keys.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { decodeTransaction, type Transaction } from '../../solana/transaction.ts';
import { writeUiTokenAmount } from '../accounts/token-amount.ts';
import { invalidParams, RpcError, UNSUPPORTED_TRANSACTION_VERSION } from '../errors.ts';
import { MEMO_PROGRAMS, showParsedInstruction } from '../parsed/parse-instruction.ts';
import type { TransactionEncoding } from '../wire/encoded-transaction.ts';
import { costUnits, showAccountKeys } from './account-keys.ts';

/**
 * Rejects `processed` like Agave, although this ledger has a single head.
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
 * Formats the memos of a transaction's top-level instructions, each with its length in bytes: `[5] hello; [2]
 * (unparseable)`. Returns null if there are none (Agave `extract_and_fmt_memos`).
 */
export function describeMemos({ wire }: Pick<TransactionRecord, 'wire'>): string | null {
  // A page of history has a thousand transactions, but few use a memo program. Searching the bytes avoids
  // decoding the others.
  const bytes = Buffer.from(wire.buffer, wire.byteOffset, wire.byteLength);
  if (!MEMO_KEYS.some((key) => bytes.includes(key))) return null;
  const { instructions, staticKeys } = decodeTransaction(wire);
  const memos = instructions
    .filter(({ programIdIndex }) => MEMO_PROGRAMS.includes(staticKeys[programIdIndex] as Address))
    .map(({ data }) => `[${data.length}] ${isUtf8(data) ? Buffer.from(data).toString() : '(unparseable)'}`);
  return memos.length === 0 ? null : memos.join('; ');
}

/** Shows the outcome as a Rust `Result`, the older of the two formats in answers. */
export function showStatus(err: TransactionError | null): JsonOutput {
  return err === null ? { Ok: null } : { Err: err };
}

/**
 * Shows the version of a transaction to a client that supports versions up to `versionMax`. A client that
 * sends no maximum is assumed to be old. Such a client gets only legacy transactions, without a version
 * member.
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

/** The stack height of top-level instructions (`TRANSACTION_LEVEL_STACK_HEIGHT`). */
const TOP_STACK_HEIGHT = 1;

interface ShownTransaction {
  readonly meta: JsonOutput;
  readonly transaction: JsonOutput;
}

/**
 * Shows a landed transaction (Agave `EncodedTransactionWithStatusMeta`, without the version).
 *
 * @param transaction the decoded wire bytes of the record.
 * @param showsRewards whether the caller requested rewards, which this ledger does not pay.
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

/** Shows the accounts and balances of a landed transaction (Agave `UiAccountsList`, `build_simple`). */
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

/** Shows the config of a version 1 transaction; undefined for others (Agave 4.2 `UiTransactionConfig`). */
function showConfig({ config }: Transaction): JsonOutput | undefined {
  if (config === null) return undefined;
  const { computeUnitLimit, heapSize, loadedAccountsDataSizeLimit, priorityFee } = config;
  return { computeUnitLimit, heapSize, loadedAccountsDataSizeLimit, priorityFee };
}

/** Shows the lookups of a v0 transaction; undefined for others. */
function showLookups(transaction: Transaction): JsonOutput | undefined {
  if (transaction.version !== 0) return undefined;
  return transaction.lookups.map(({ table, readonly, writable }) => ({
    accountKey: table,
    readonlyIndexes: [...readonly],
    writableIndexes: [...writable],
  }));
}

/** Shows the outcome without the rewards. */
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

/** Shows an instruction with indexes (Agave `UiCompiledInstruction`). */
function showCompiledInstruction(
  { accounts, data, programIdIndex }: Pick<InnerInstruction, 'accounts' | 'data' | 'programIdIndex'>,
  stackHeight: number,
): JsonOutput {
  return { accounts: [...accounts], data: encodeBase58(data), programIdIndex, stackHeight };
}

/** Shows the inner instructions unparsed. */
function showInnerInstructions(execution: Execution): readonly JsonOutput[] {
  return execution.innerInstructions.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((call) => showCompiledInstruction(call, call.stackHeight)),
  }));
}

/**
 * Shows the inner instructions, parsed if their programs are known.
 *
 * @param keys all keys of the transaction.
 */
export function showParsedInnerInstructions(
  execution: Execution,
  keys: readonly Address[],
): readonly JsonOutput[] {
  return execution.innerInstructions.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((call) => showParsedInstruction(call, keys, call.stackHeight)),
  }));
}

export function showLoadedAddresses({ readonly, writable }: LoadedAddresses): JsonOutput {
  return { readonly, writable };
}

/** Shows the return data of a program, or null. */
export function showReturnData({ returnData }: Execution): JsonOutput {
  if (returnData === null) return null;
  const { data, programId } = returnData;
  const base64 = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
  return { data: [base64, 'base64'], programId };
}

/** Writes token balances (Agave `UiTransactionTokenBalance`) as text, because they are most of an answer. */
export function showTokenBalances(balances: readonly TokenBalance[]): JsonText {
  let text = '';
  for (const balance of balances) text += `${text === '' ? '' : ','}${writeTokenBalance(balance)}`;
  return new JsonText(`[${text}]`);
}

function writeTokenBalance(balance: TokenBalance): string {
  const { accountIndex, mint, owner, programId, amount, decimals } = balance;
  const uiAmount = writeUiTokenAmount(amount, decimals);
  return `{"accountIndex":${accountIndex},"mint":"${mint}","owner":"${owner}","programId":"${programId}","uiTokenAmount":${uiAmount}}`;
}
