import type { JsonOutput, JsonOutputObject } from '../../json/write-json.ts';
import type { Block, TransactionRecord } from '../../ledger/ledger.ts';
import type { Commitment } from '../../solana/commitment.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { flattenedCommitment } from '../params/configs.ts';
import { bool, optional, struct, u8, untagged, variant } from '../params/readers.ts';
import { LARGE, listInSteps, type Steps } from '../scan/scan.ts';
import { showTransaction, showTransactionAccounts, showVersion } from '../transactions/show-transaction.ts';
import { transactionEncoding, type TransactionEncoding } from '../wire/encoded-transaction.ts';

/** How much of its transactions a block shows (Agave `TransactionDetails`). */
export const transactionDetailsName = variant(['full', 'signatures', 'none', 'accounts']);

export type TransactionDetails = ReturnType<typeof transactionDetailsName>;

/** Which parts of a block to show, and how. */
export interface BlockOptions {
  readonly encoding: TransactionEncoding;
  readonly transactionDetails: TransactionDetails;
  readonly rewards: boolean;
  /** The newest transaction version the caller supports; undefined for legacy only. */
  readonly maxSupportedTransactionVersion: number | undefined;
}

/** Agave `RpcBlockConfig`. */
interface BlockConfig {
  readonly encoding?: TransactionEncoding | undefined;
  readonly transactionDetails?: TransactionDetails | undefined;
  readonly rewards?: boolean | undefined;
  readonly commitment?: Commitment | undefined;
  readonly maxSupportedTransactionVersion?: number | undefined;
}

/** Agave `RpcEncodingConfigWrapper<RpcBlockConfig>`: a bare encoding or a config. */
export const encodingOrBlockConfig = untagged<BlockConfig>('RpcEncodingConfigWrapper', [
  (value) => ({ encoding: transactionEncoding(value) }),
  struct<BlockConfig>(
    'RpcBlockConfig',
    {
      encoding: optional(transactionEncoding),
      transactionDetails: optional(transactionDetailsName),
      rewards: optional(bool),
      commitment: flattenedCommitment,
      maxSupportedTransactionVersion: optional(u8),
    },
    { hasFlattened: true },
  ),
]);

/** The options of a config, with Agave's defaults. */
export function blockOptions(config: BlockConfig = {}): BlockOptions {
  return {
    encoding: config.encoding ?? 'json',
    transactionDetails: config.transactionDetails ?? 'full',
    rewards: config.rewards ?? true,
    maxSupportedTransactionVersion: config.maxSupportedTransactionVersion,
  };
}

/** A block with fewer transactions is written at once. That takes no longer than any other call. */
const SMALL_COUNT = 64;

/**
 * A block as `getBlock` and `blockSubscribe` show it (Agave `UiConfirmedBlock`). This ledger pays no rewards.
 *
 * @throws {RpcError} -32015 if transactions are shown and the caller does not support the version of one.
 */
export function showBlock(block: Block, options: BlockOptions): JsonOutputObject {
  return showWith(
    block,
    options,
    showsTransactions(options)
      ? block.transactions.map((record) => showBlockTransaction(record, options))
      : undefined,
  );
}

/** {@link showBlock}, one transaction per step. */
export function* showBlockInSteps(block: Block, options: BlockOptions): Steps<JsonOutput> {
  if (!showsTransactions(options)) return showBlock(block, options);
  if (block.transactions.length > SMALL_COUNT) yield LARGE;
  const show = (record: TransactionRecord): JsonOutput => showBlockTransaction(record, options);
  return showWith(block, options, yield* listInSteps(block.transactions, show));
}

function showsTransactions({ transactionDetails }: BlockOptions): boolean {
  return transactionDetails === 'full' || transactionDetails === 'accounts';
}

function showWith(
  block: Block,
  { transactionDetails, rewards }: BlockOptions,
  transactions: JsonOutput | undefined,
): JsonOutputObject {
  return {
    blockHeight: block.blockHeight,
    blockTime: block.blockTime,
    blockhash: block.blockhash,
    parentSlot: block.parentSlot,
    previousBlockhash: block.previousBlockhash,
    rewards: rewards ? [] : undefined,
    signatures:
      transactionDetails === 'signatures' ? block.transactions.map(({ signature }) => signature) : undefined,
    transactions,
  };
}

function showBlockTransaction(record: TransactionRecord, options: BlockOptions): JsonOutput {
  const decoded = decodeTransaction(record.wire);
  const version = showVersion(decoded, options.maxSupportedTransactionVersion);
  const { meta, transaction } =
    options.transactionDetails === 'accounts'
      ? showTransactionAccounts(record, decoded, options.rewards)
      : showTransaction(record, decoded, options.encoding, options.rewards);
  return { meta, transaction, version };
}
