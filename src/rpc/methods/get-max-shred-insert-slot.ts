import { defineMethod } from '../rpc-method.ts';

/**
 * `getMaxShredInsertSlot()`: the newest slot this node has taken in, which is the present one, as it makes
 * them all.
 */
export const getMaxShredInsertSlot = defineMethod(
  'getMaxShredInsertSlot',
  { required: [], optional: [] },
  (node) => node.ledger.head().slot,
);
