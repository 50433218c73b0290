import { defineMethod } from '../rpc-method.ts';

/** `getFirstAvailableBlock()`: the oldest slot whose block has not been forgotten. */
export const getFirstAvailableBlock = defineMethod(
  'getFirstAvailableBlock',
  { required: [], optional: [] },
  (node) => node.ledger.firstSlot(),
);
