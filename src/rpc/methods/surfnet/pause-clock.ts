import { defineMethod } from '../../rpc-method.ts';
import { showEpochInfo } from '../get-epoch-info.ts';
import { operatorOf } from './operator-of.ts';

/** `surfnet_pauseClock()`: stops the slots; answers like getEpochInfo at processed. */
export const surfnetPauseClock = defineMethod(
  'surfnet_pauseClock',
  { required: [], optional: [] },
  (node) => {
    operatorOf(node).pauseClock();
    return showEpochInfo(node, node.ledger.head());
  },
);
