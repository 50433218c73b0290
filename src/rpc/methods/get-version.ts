import { defineMethod } from '../rpc-method.ts';

/** `getVersion()`: the version of the node and its feature set number. */
export const getVersion = defineMethod('getVersion', { required: [], optional: [] }, (node) => ({
  'feature-set': node.featureSet,
  'solana-core': node.version,
}));
