import { defineMethod } from '../../rpc-method.ts';
import { inContext } from '../../rpc-node.ts';
import { operatorOf } from './operator-of.ts';

/** `surfnet_resetNetwork()`: discards everything and restarts as a new ledger. */
export const surfnetResetNetwork = defineMethod(
  'surfnet_resetNetwork',
  { required: [], optional: [] },
  async (node) => {
    await operatorOf(node).resetLedger();
    return inContext(node, node.ledger.head().slot, null);
  },
);
