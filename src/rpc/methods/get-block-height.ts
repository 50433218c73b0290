import { contextConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';
import { readHead } from '../rpc-node.ts';

/** `getBlockHeight([config]?)`: how many blocks there are below the newest one. */
export const getBlockHeight = defineMethod(
  'getBlockHeight',
  { required: [], optional: [contextConfig] },
  (node, config) => readHead(node, config).blockHeight,
);
