import type { RpcMethod } from '../rpc-method.ts';
import { ACCOUNT_METHODS } from './account-methods.ts';
import { CLUSTER_METHODS } from './cluster-methods.ts';
import { TRANSACTION_METHODS } from './transaction-methods.ts';

/** Every method a ledger node serves. A new one is a file of its own and a row in one of the tables. */
export const LEDGER_METHODS: readonly RpcMethod[] = [
  ...ACCOUNT_METHODS,
  ...TRANSACTION_METHODS,
  ...CLUSTER_METHODS,
];
