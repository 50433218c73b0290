import { contextConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';
import { readBlockAt } from '../rpc-node.ts';

/** `getSlot([config]?)`: the slot under way at `processed`, else the newest whose block is over. */
export const getSlot = defineMethod(
  'getSlot',
  { required: [], optional: [contextConfig] },
  (node, config) => readBlockAt(node, config).slot,
);
