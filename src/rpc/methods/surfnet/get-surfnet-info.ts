import { defineMethod } from '../../rpc-method.ts';
import { inContext } from '../../rpc-node.ts';
import { operatorOf } from './operator-of.ts';

/**
 * `surfnet_getSurfnetInfo()`: the runbooks that were run on the network. This node runs none: the list is
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
