import type { RpcMethod } from '../rpc-method.ts';
import { getAccountInfo } from './get-account-info.ts';
import { getBalance } from './get-balance.ts';
import { getBlockHeight } from './get-block-height.ts';
import { getGenesisHash } from './get-genesis-hash.ts';
import { getHealth } from './get-health.ts';
import { getIdentity } from './get-identity.ts';
import { getLatestBlockhash } from './get-latest-blockhash.ts';
import { getMinimumBalanceForRentExemption } from './get-minimum-balance-for-rent-exemption.ts';
import { getSignatureStatuses } from './get-signature-statuses.ts';
import { getSlot } from './get-slot.ts';
import { getTokenAccountBalance } from './get-token-account-balance.ts';
import { getTokenLargestAccounts } from './get-token-largest-accounts.ts';
import { getTransaction } from './get-transaction.ts';
import { getVersion } from './get-version.ts';
import { isBlockhashValid } from './is-blockhash-valid.ts';
import { requestAirdrop } from './request-airdrop.ts';
import { requestTokenAirdrop } from './request-token-airdrop.ts';
import { sendTransaction } from './send-transaction.ts';
import { simulateTransaction } from './simulate-transaction.ts';

/** Every method a ledger node serves. A new one is a file of its own and a row here. */
export const LEDGER_METHODS: readonly RpcMethod[] = [
  getAccountInfo,
  getBalance,
  getBlockHeight,
  getGenesisHash,
  getHealth,
  getIdentity,
  getLatestBlockhash,
  getMinimumBalanceForRentExemption,
  getSignatureStatuses,
  getSlot,
  getTokenAccountBalance,
  getTokenLargestAccounts,
  getTransaction,
  getVersion,
  isBlockhashValid,
  requestAirdrop,
  requestTokenAirdrop,
  sendTransaction,
  simulateTransaction,
];
