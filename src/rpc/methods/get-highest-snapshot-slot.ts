import { defineMethod } from '../rpc-method.ts';
import { noSnapshot } from '../blocks/block-errors.ts';

/** `getHighestSnapshotSlot()`: always -32008, as this node creates no snapshots to start others from. */
export const getHighestSnapshotSlot = defineMethod(
  'getHighestSnapshotSlot',
  { required: [], optional: [] },
  () => {
    throw noSnapshot();
  },
);
