import { defineMethod } from '../rpc-method.ts';

/** `getFirstAvailableBlock()`: the oldest slot whose block is still stored. */
export const getFirstAvailableBlock = defineMethod(
  'getFirstAvailableBlock',
  { required: [], optional: [] },
  (node) => node.ledger.firstSlot(),
);
