import { contextConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';
import { readHead } from '../rpc-node.ts';

/**
 * `getTransactionCount([config]?)`: the number of transactions that ever landed, including those no longer
 * stored.
 */
export const getTransactionCount = defineMethod(
  'getTransactionCount',
  { required: [], optional: [contextConfig] },
  (node, config) => {
    readHead(node, config);
    return node.ledger.transactionCount();
  },
);
