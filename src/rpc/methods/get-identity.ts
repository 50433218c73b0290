import { defineMethod } from '../rpc-method.ts';

/** `getIdentity()`: the identity address of the node. */
export const getIdentity = defineMethod('getIdentity', { required: [], optional: [] }, (node) => ({
  identity: node.ledger.identity,
}));
