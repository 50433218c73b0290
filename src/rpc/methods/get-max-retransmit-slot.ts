import { defineMethod } from '../rpc-method.ts';

/**
 * `getMaxRetransmitSlot()`: the newest slot this node has forwarded. There is no other node to forward to, so
 * it is the current one; monitoring sees no lag.
 */
export const getMaxRetransmitSlot = defineMethod(
  'getMaxRetransmitSlot',
  { required: [], optional: [] },
  (node) => node.ledger.head().slot,
);
