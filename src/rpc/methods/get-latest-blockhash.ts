import { contextConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';
import { inContext, readHead } from '../rpc-node.ts';

/**
 * `getLatestBlockhash([config]?)`: the newest blockhash, and the last block height at which it is accepted.
 */
export const getLatestBlockhash = defineMethod(
  'getLatestBlockhash',
  { required: [], optional: [contextConfig] },
  (node, config) => {
    const { slot, blockhash, lastValidBlockHeight } = readHead(node, config);
    return inContext(node, slot, { blockhash, lastValidBlockHeight });
  },
);
