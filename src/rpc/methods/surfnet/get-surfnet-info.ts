import { defineMethod } from '../../rpc-method.ts';
import { inContext } from '../../rpc-node.ts';
import { operatorOf } from './operator-of.ts';

/**
 * `surfnet_getSurfnetInfo()`: the runbooks executed on the network. This node runs none, so the list is
 * empty.
 */
export const surfnetGetSurfnetInfo = defineMethod(
  'surfnet_getSurfnetInfo',
  { required: [], optional: [] },
  (node) => {
    operatorOf(node);
    return inContext(node, node.ledger.head().slot, { runbookExecutions: [] });
  },
);
