import { defineMethod } from '../rpc-method.ts';

/** `minimumLedgerSlot()`: the oldest slot the node has data of: that of its first block. */
export const minimumLedgerSlot = defineMethod('minimumLedgerSlot', { required: [], optional: [] }, (node) =>
  node.ledger.firstSlot(),
);
