import { defineMethod } from '../rpc-method.ts';

/**
 * `getMaxRetransmitSlot()`: the newest slot this node has passed on. There is nobody it would still have to
 * pass one on to, so it is the present one; those who watch a node's lag by it see none.
 */
export const getMaxRetransmitSlot = defineMethod(
  'getMaxRetransmitSlot',
  { required: [], optional: [] },
  (node) => node.ledger.head().slot,
);
