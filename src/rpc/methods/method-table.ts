import type { RpcMethod } from '../rpc-method.ts';
import { ACCOUNT_METHODS } from './account-methods.ts';
import { CLUSTER_METHODS } from './cluster-methods.ts';
import { TRANSACTION_METHODS } from './transaction-methods.ts';

/** Every method of a ledger node. A new method is one file and one row in these tables. */
export const LEDGER_METHODS: readonly RpcMethod[] = [
  ...ACCOUNT_METHODS,
  ...TRANSACTION_METHODS,
  ...CLUSTER_METHODS,
];
