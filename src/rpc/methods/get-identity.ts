import { defineMethod } from '../rpc-method.ts';

/** `getIdentity()`: the address the node goes by. */
export const getIdentity = defineMethod('getIdentity', { required: [], optional: [] }, (node) => ({
  identity: node.ledger.identity,
}));
