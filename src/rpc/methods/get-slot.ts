import { contextConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';
import { readHead } from '../rpc-node.ts';

/** `getSlot([config]?)`: the slot of the newest block. */
export const getSlot = defineMethod(
  'getSlot',
  { required: [], optional: [contextConfig] },
  (node, config) => readHead(node, config).slot,
);
