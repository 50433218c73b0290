import { contextConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';
import { readBlockAt } from '../rpc-node.ts';

/** `getSlot([config]?)`: the current slot at `processed`, otherwise the newest finished one. */
export const getSlot = defineMethod(
  'getSlot',
  { required: [], optional: [contextConfig] },
  (node, config) => readBlockAt(node, config).slot,
);
