import { isServiceError } from '../../errors/service-error.ts';
import type { JsonOutput } from '../../json/write-json.ts';
import {
  type HistoryReads,
  type Ledger,
  type SignatureQuery,
  SignatureUnknown,
  type TransactionRecord,
  type TransactionStatus,
} from '../../ledger/ledger.ts';
import type { Address } from '../../solana/address.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { filterTransactionNotFound } from '../blocks/blocks.ts';
import { invalidParams } from '../errors.ts';
import {
  bool,
  contextConfig,
  findHashFault,
  flattenedCommitment,
  optional,
  required,
  sequence,
  string,
  struct,
  u64,
  u8,
  untagged,
  usize,
  verifyAddress,
  verifySignature,
} from '../params/readers.ts';
import { defineMethod, defineScan, inContext, readHead, type RpcMethod } from '../rpc-method.ts';
import { largeBeyond, listInSteps } from '../scan/scan.ts';
import { assertSaneMessage, messageFee, recentPrices } from '../transactions/fees.ts';
import { nextSlot } from '../transactions/next-slot.ts';
import {
  describeMemos,
  refuseProcessed,
  showStatus,
  showTransaction,
  showVersion,
} from '../transactions/show-transaction.ts';
import {
  decodeMessageText,
  transactionEncoding,
  type TransactionEncoding,
} from '../wire/encoded-transaction.ts';
import { sendTransaction } from './send-transaction.ts';
import { simulateTransaction } from './simulate-transaction.ts';

interface TransactionConfig {
  readonly encoding?: TransactionEncoding | undefined;
  readonly commitment?: Commitment | undefined;
  readonly maxSupportedTransactionVersion?: number | undefined;
}

/** Reads Agave's `RpcEncodingConfigWrapper<RpcTransactionConfig>`: a bare encoding or a config. */
const encodingOrConfig = untagged<TransactionConfig>('RpcEncodingConfigWrapper', [
  (value) => ({ encoding: transactionEncoding(value) }),
  struct<TransactionConfig>(
    'RpcTransactionConfig',
    {
      encoding: optional(transactionEncoding),
      commitment: flattenedCommitment,
      maxSupportedTransactionVersion: optional(u8),
    },
    { hasFlattened: true },
  ),
]);

/** `getTransaction([signature, config?])`: a landed transaction with its outcome, or null. */
const getTransaction = defineMethod(
  'getTransaction',
  { required: [string], optional: [encodingOrConfig] },
  (node, text, config) => {
    const signature = verifySignature(text);
    refuseProcessed(config?.commitment);
    const record = node.ledger.getTransaction(signature);
    if (record === null) return null;
    const decoded = decodeTransaction(record.wire);
    const version = showVersion(decoded, config?.maxSupportedTransactionVersion);
    const { meta, transaction } = showTransaction(record, decoded, config?.encoding ?? 'json');
    const { blockTime, slot, index } = record;
    return { blockTime, meta, slot, transaction, transactionIndex: index, version };
  },
);

/** Maximum number of signatures per call (Agave `MAX_GET_SIGNATURE_STATUSES_QUERY_ITEMS`). */
const STATUSES_MAX = 256;

/** Age up to which a status is found without a history search, in slots (Agave `MAX_RECENT_BLOCKHASHES`). */
const RECENT_SLOTS = 300;

/** Reads Agave's `RpcSignatureStatusConfig`. */
const signatureStatusConfig = struct('RpcSignatureStatusConfig', {
  searchTransactionHistory: required(bool),
});

/** `getSignatureStatuses([signatures, config?])`: the outcomes of transactions; null for unknown ones. */
const getSignatureStatuses = defineMethod(
  'getSignatureStatuses',
  { required: [sequence(string)], optional: [signatureStatusConfig] },
  (node, texts, config) => {
    if (texts.length > STATUSES_MAX) {
      throw invalidParams(`Too many inputs provided; max ${STATUSES_MAX}`);
    }
    const signatures = texts.map(verifySignature);
    const { slot } = node.ledger.head();
    const oldestSlot = config?.searchTransactionHistory === true ? 0 : slot - RECENT_SLOTS;
    const value = signatures.map((signature) => {
      const status = node.ledger.signatureStatus(signature);
      return status === null || status.slot < oldestSlot ? null : showSignatureStatus(status);
    });
    return inContext(node, slot, value);
  },
);

/** Shows a final status, because blocks are final immediately. Like in Agave, confirmations are null. */
function showSignatureStatus({ err, slot }: TransactionStatus): JsonOutput {
  return { confirmationStatus: 'finalized', confirmations: null, err, slot, status: showStatus(err) };
}

/** Maximum and default page size (`MAX_GET_CONFIRMED_SIGNATURES_FOR_ADDRESS2_LIMIT`). */
const SIGNATURES_MAX = 1_000;

/** Pages up to this size are produced in one step. */
const SMALL_COUNT = 64;

interface SignaturesConfig {
  readonly before: string | undefined;
  readonly until: string | undefined;
  readonly limit: bigint | undefined;
  readonly commitment: Commitment | undefined;
  readonly minContextSlot: bigint | undefined;
}

/** Reads Agave's `RpcSignaturesForAddressConfig`. */
const signaturesConfig = struct<SignaturesConfig>(
  'RpcSignaturesForAddressConfig',
  {
    before: optional(string),
    until: optional(string),
    limit: optional(usize),
    commitment: flattenedCommitment,
    minContextSlot: optional(u64),
  },
  { hasFlattened: true },
);

/** `getSignaturesForAddress([address, config?])`: a page of an address's transactions, newest first. */
export const getSignaturesForAddress = defineScan(
  'getSignaturesForAddress',
  { required: [string], optional: [signaturesConfig] },
  function* (node, text, config) {
    const query = readQuery(text, config);
    refuseProcessed(config?.commitment);
    readHead(node, config);
    const records = findRecords(node.ledger, query);
    return yield* largeBeyond(SMALL_COUNT, listInSteps(records, showEntry));
  },
);

function readQuery(text: string, config: SignaturesConfig | undefined): SignatureQuery {
  const address = verifyAddress(text);
  const before = config?.before === undefined ? {} : { before: verifySignature(config.before) };
  const until = config?.until === undefined ? {} : { until: verifySignature(config.until) };
  const limit = config?.limit ?? BigInt(SIGNATURES_MAX);
  if (limit === 0n || limit > SIGNATURES_MAX) throw invalidParams(`Invalid limit; max ${SIGNATURES_MAX}`);
  return { address, ...before, ...until, limit: Number(limit) };
}

function findRecords(ledger: HistoryReads, query: SignatureQuery): Iterable<TransactionRecord | null> {
  try {
    return ledger.historyOf(query);
  } catch (error) {
    if (error instanceof SignatureUnknown) throw filterTransactionNotFound(error.signature);
    throw error;
  }
}

function showEntry(record: TransactionRecord | null): JsonOutput | undefined {
  if (record === null) return undefined;
  const { blockTime, err, signature, slot, index } = record;
  return {
    blockTime,
    confirmationStatus: 'finalized',
    err,
    memo: describeMemos(record),
    signature,
    slot,
    transactionIndex: index,
  };
}

/** `getFeeForMessage([message, config?])`: the fee, in lamports; null if the blockhash is unknown. */
const getFeeForMessage = defineMethod(
  'getFeeForMessage',
  { required: [string], optional: [contextConfig] },
  (node, text, config) => {
    const message = decodeMessageText(text);
    const { slot } = readHead(node, config);
    assertSaneMessage(node.ledger, message, slot);
    return inContext(node, slot, messageFee(node.ledger, message));
  },
);

/** `getLatestBlockhash([config]?)`: the newest blockhash and the last block height at which it is valid. */
const getLatestBlockhash = defineMethod(
  'getLatestBlockhash',
  { required: [], optional: [contextConfig] },
  (node, config) => {
    const { slot, blockhash, lastValidBlockHeight } = readHead(node, config);
    return inContext(node, slot, { blockhash, lastValidBlockHeight });
  },
);

/** Maximum number of accounts per call (`MAX_TX_ACCOUNT_LOCKS`). */
const ACCOUNTS_MAX = 128;

/** `getRecentPrioritizationFees([accounts]?)`: prices in recent slots, in micro-lamports per unit. */
const getRecentPrioritizationFees = defineMethod(
  'getRecentPrioritizationFees',
  { required: [], optional: [sequence(string)] },
  (node, texts = []) => {
    if (texts.length > ACCOUNTS_MAX) throw invalidParams(`Too many inputs provided; max ${ACCOUNTS_MAX}`);
    const prices = recentPrices(node.ledger, texts.map(verifyAddress));
    return prices.map(({ slot, unitPrice }) => ({ prioritizationFee: unitPrice, slot }));
  },
);

/** `isBlockhashValid([blockhash, config?])`: whether transactions with a blockhash are accepted now. */
const isBlockhashValid = defineMethod(
  'isBlockhashValid',
  { required: [string], optional: [contextConfig] },
  (node, blockhash, config) => {
    const fault = findHashFault(blockhash);
    if (fault !== undefined) throw invalidParams(fault);
    const { slot } = readHead(node, config);
    return inContext(node, slot, node.ledger.isBlockhashValid(blockhash));
  },
);

/** Agave `RpcRequestAirdropConfig`. The blockhash is checked, but the faucet uses the newest one. */
const airdropConfig = struct<{
  readonly recentBlockhash: string | undefined;
  readonly commitment: Commitment | undefined;
}>(
  'RpcRequestAirdropConfig',
  { recentBlockhash: optional(string), commitment: flattenedCommitment },
  { hasFlattened: true },
);

/**
 * `requestAirdrop([address, lamports, config?])`: the signature of the faucet's transfer, even if the
 * transfer failed on the ledger, as on a cluster. The transfer lands in the next slot, because clients may
 * subscribe to its effects at the time of the request.
 */
export const requestAirdrop = defineMethod(
  'requestAirdrop',
  { required: [string, u64], optional: [airdropConfig] },
  (node, text, lamports, config) => {
    const address = verifyAddress(text);
    const fault = config?.recentBlockhash === undefined ? undefined : findHashFault(config.recentBlockhash);
    if (fault !== undefined) throw invalidParams(`Invalid param: ${fault}`);
    return nextSlot(node.ledger).then(() => give(node.ledger, address, lamports));
  },
);

async function give(ledger: Ledger, address: Address, lamports: bigint): Promise<string> {
  try {
    return await ledger.airdrop(address, lamports);
  } catch (error) {
    const signature = isServiceError(error, 'INVALID_ARGUMENTS') ? error.context['signature'] : undefined;
    if (typeof signature === 'string' && ledger.signatureStatus(signature) !== null) return signature;
    throw error;
  }
}

/** Methods that simulate, send and find transactions and their blocks. */
export const TRANSACTION_METHODS: readonly RpcMethod[] = [
  getFeeForMessage,
  getLatestBlockhash,
  getRecentPrioritizationFees,
  getSignatureStatuses,
  getSignaturesForAddress,
  getTransaction,
  isBlockhashValid,
  requestAirdrop,
  sendTransaction,
  simulateTransaction,
];
