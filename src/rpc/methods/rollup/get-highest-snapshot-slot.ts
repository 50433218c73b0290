import { defineMethod } from '../../rpc-method.ts';

/**
 * `getHighestSnapshotSlot()`: slot 0 and no incremental snapshot. The ephemeral validator answers this too,
 * although it serves no snapshots (magicblock-validator 0.14.10).
 */
export const getHighestSnapshotSlot = defineMethod(
  'getHighestSnapshotSlot',
  { required: [], optional: [] },
  () => ({ full: 0, incremental: null }),
);
