import { contextConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';
import { readBlockAt } from '../rpc-node.ts';

/** `getBlockHeight([config]?)`: the number of blocks below that of `getSlot`. */
export const getBlockHeight = defineMethod(
  'getBlockHeight',
  { required: [], optional: [contextConfig] },
  (node, config) => readBlockAt(node, config).blockHeight,
);
