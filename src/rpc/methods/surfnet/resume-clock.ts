import { defineMethod } from '../../rpc-method.ts';
import { showEpochInfo } from '../get-epoch-info.ts';
import { operatorOf } from './operator-of.ts';

/**
 * `surfnet_resumeClock()`: lets slots advance again from where they stopped; answers like getEpochInfo at
 * processed.
 */
export const surfnetResumeClock = defineMethod(
  'surfnet_resumeClock',
  { required: [], optional: [] },
  async (node) => {
    await operatorOf(node).resumeClock();
    return showEpochInfo(node, node.ledger.head());
  },
);
