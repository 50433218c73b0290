import { defineMethod } from '../../rpc-method.ts';

/**
 * `getHighestSnapshotSlot()`: the ephemeral validator names slot 0, though it hands out no snapshots either,
 * and no incremental one (magicblock-validator 0.14.10).
 */
export const getHighestSnapshotSlot = defineMethod(
  'getHighestSnapshotSlot',
  { required: [], optional: [] },
  () => ({ full: 0, incremental: null }),
);
