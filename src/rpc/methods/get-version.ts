import { defineMethod } from '../rpc-method.ts';

/** `getVersion()`: the node's version and the number of its feature set. */
export const getVersion = defineMethod('getVersion', { required: [], optional: [] }, (node) => ({
  'feature-set': node.featureSet,
  'solana-core': node.version,
}));
