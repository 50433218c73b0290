import type { JsonOutput, JsonOutputObject } from '../../json/json-value.ts';
import type { Block } from '../../ledger/block.ts';
import type { TransactionRecord } from '../../ledger/execution.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import { LARGE, type Steps } from '../scan/scan.ts';
import { listInSteps } from '../scan/steps.ts';
import { showTransaction, showTransactionAccounts, showVersion } from '../transactions/show-transaction.ts';
import type { BlockOptions } from './block-options.ts';

/** A block with fewer transactions is shown at once: that takes no longer than any other call. */
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
