import { defineMethod } from '../rpc-method.ts';

/**
 * `getMaxShredInsertSlot()`: the newest slot this node has received: the current one, as it produces all of
 * them.
 */
export const getMaxShredInsertSlot = defineMethod(
  'getMaxShredInsertSlot',
  { required: [], optional: [] },
  (node) => node.ledger.head().slot,
);
