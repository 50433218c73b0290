import { contextConfig } from '../params/configs.ts';
import { defineMethod } from '../rpc-method.ts';
import { readHead } from '../rpc-node.ts';

/** `getSlotLeader([config]?)`: the leader of the current slot, always this node. */
export const getSlotLeader = defineMethod(
  'getSlotLeader',
  { required: [], optional: [contextConfig] },
  (node, config) => {
    readHead(node, config);
    return node.ledger.identity;
  },
);
