import type { RpcMethod } from '../rpc-method.ts';
import { getAccountInfo } from './get-account-info.ts';
import { getBalance } from './get-balance.ts';
import { getLargestAccounts } from './get-largest-accounts.ts';
import { getMinimumBalanceForRentExemption } from './get-minimum-balance-for-rent-exemption.ts';
import { getMultipleAccounts } from './get-multiple-accounts.ts';
import { getProgramAccounts } from './get-program-accounts.ts';
import { getStakeMinimumDelegation } from './get-stake-minimum-delegation.ts';
import { getSupply } from './get-supply.ts';
import { getTokenAccountBalance } from './get-token-account-balance.ts';
import { getTokenAccountsByDelegate } from './get-token-accounts-by-delegate.ts';
import { getTokenAccountsByOwner } from './get-token-accounts-by-owner.ts';
import { getTokenLargestAccounts } from './get-token-largest-accounts.ts';
import { getTokenSupply } from './get-token-supply.ts';

/** Methods that read accounts and tokens. */
export const ACCOUNT_METHODS: readonly RpcMethod[] = [
  getAccountInfo,
  getBalance,
  getLargestAccounts,
  getMinimumBalanceForRentExemption,
  getMultipleAccounts,
  getProgramAccounts,
  getStakeMinimumDelegation,
  getSupply,
  getTokenAccountBalance,
  getTokenAccountsByDelegate,
  getTokenAccountsByOwner,
  getTokenLargestAccounts,
  getTokenSupply,
];
