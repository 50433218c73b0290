import type { RpcMethod } from '../rpc-method.ts';
import { ACCOUNT_METHODS } from './account-methods.ts';
import { BLOCK_METHODS } from './block-methods.ts';
import { CLUSTER_METHODS } from './cluster-methods.ts';
import { TOKEN_METHODS } from './token-methods.ts';
import { TRANSACTION_METHODS } from './transaction-methods.ts';

/** All methods of a ledger node. Add a new method to the table in the file of its kind. */
export const LEDGER_METHODS: readonly RpcMethod[] = [
  ...ACCOUNT_METHODS,
  ...TOKEN_METHODS,
  ...TRANSACTION_METHODS,
  ...BLOCK_METHODS,
  ...CLUSTER_METHODS,
];
