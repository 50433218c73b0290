import type { RpcMethod } from '../rpc-method.ts';
import { getLatestBlockhash } from './get-latest-blockhash.ts';
import { getSignatureStatuses } from './get-signature-statuses.ts';
import { getTransaction } from './get-transaction.ts';
import { isBlockhashValid } from './is-blockhash-valid.ts';
import { requestAirdrop } from './request-airdrop.ts';
import { requestTokenAirdrop } from './request-token-airdrop.ts';
import { sendTransaction } from './send-transaction.ts';
import { simulateTransaction } from './simulate-transaction.ts';

/** Methods that try, send and find transactions, and the blocks they are in. */
export const TRANSACTION_METHODS: readonly RpcMethod[] = [
  getLatestBlockhash,
  getSignatureStatuses,
  getTransaction,
  isBlockhashValid,
  requestAirdrop,
  requestTokenAirdrop,
  sendTransaction,
  simulateTransaction,
];
