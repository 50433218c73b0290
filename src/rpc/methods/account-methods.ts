import type { RpcMethod } from '../rpc-method.ts';
import { getAccountInfo } from './get-account-info.ts';
import { getBalance } from './get-balance.ts';
import { getMinimumBalanceForRentExemption } from './get-minimum-balance-for-rent-exemption.ts';
import { getTokenAccountBalance } from './get-token-account-balance.ts';
import { getTokenLargestAccounts } from './get-token-largest-accounts.ts';

/** Methods that read accounts and tokens. */
export const ACCOUNT_METHODS: readonly RpcMethod[] = [
  getAccountInfo,
  getBalance,
  getMinimumBalanceForRentExemption,
  getTokenAccountBalance,
  getTokenLargestAccounts,
];
