import type { RpcMethod } from '../rpc-method.ts';
import { getBlock } from './get-block.ts';
import { getBlockTime } from './get-block-time.ts';
import { getBlocks } from './get-blocks.ts';
import { getBlocksWithLimit } from './get-blocks-with-limit.ts';
import { getFeeForMessage } from './get-fee-for-message.ts';
import { getFirstAvailableBlock } from './get-first-available-block.ts';
import { getLatestBlockhash } from './get-latest-blockhash.ts';
import { getRecentPrioritizationFees } from './get-recent-prioritization-fees.ts';
import { getSignatureStatuses } from './get-signature-statuses.ts';
import { getSignaturesForAddress } from './get-signatures-for-address.ts';
import { getTransaction } from './get-transaction.ts';
import { getTransactionCount } from './get-transaction-count.ts';
import { isBlockhashValid } from './is-blockhash-valid.ts';
import { minimumLedgerSlot } from './minimum-ledger-slot.ts';
import { requestAirdrop } from './request-airdrop.ts';
import { requestTokenAirdrop } from './request-token-airdrop.ts';
import { sendTransaction } from './send-transaction.ts';
import { simulateTransaction } from './simulate-transaction.ts';

/** Methods that simulate, send and find transactions and their blocks. */
export const TRANSACTION_METHODS: readonly RpcMethod[] = [
  getBlock,
  getBlockTime,
  getBlocks,
  getBlocksWithLimit,
  getFeeForMessage,
  getFirstAvailableBlock,
  getLatestBlockhash,
  getRecentPrioritizationFees,
  getSignatureStatuses,
  getSignaturesForAddress,
  getTransaction,
  getTransactionCount,
  isBlockhashValid,
  minimumLedgerSlot,
  requestAirdrop,
  requestTokenAirdrop,
  sendTransaction,
  simulateTransaction,
];
