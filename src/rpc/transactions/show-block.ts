import type { Block } from '../../ledger/block.ts';
import type { TransactionRecord } from '../../ledger/execution.ts';
import { decodeTransaction } from '../../solana/transaction.ts';
import type { JsonOutput, JsonOutputObject } from '../../json/json-value.ts';
import type { BlockOptions } from './block-options.ts';
import { showTransaction, showTransactionAccounts } from './show-transaction.ts';
import { showVersion } from './transaction-version.ts';

/**
 * A block as `getBlock` and `blockSubscribe` show it (Agave `UiConfirmedBlock`). Nobody is rewarded on this ledger, so
 * its rewards are none.
 *
 * @throws {RpcError} -32015 when transactions are shown and one has a version the caller does not understand.
 */
export function showBlock(block: Block, options: BlockOptions): JsonOutputObject {
  const { transactionDetails, rewards } = options;
  const showsTransactions = transactionDetails === 'full' || transactionDetails === 'accounts';
  return {
    blockHeight: block.blockHeight,
    blockTime: block.blockTime,
    blockhash: block.blockhash,
    parentSlot: block.parentSlot,
    previousBlockhash: block.previousBlockhash,
    rewards: rewards ? [] : undefined,
    signatures:
      transactionDetails === 'signatures' ? block.transactions.map(({ signature }) => signature) : undefined,
    transactions: showsTransactions
      ? block.transactions.map((record) => showBlockTransaction(record, options))
      : undefined,
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
