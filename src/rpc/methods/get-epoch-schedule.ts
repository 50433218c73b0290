import { EPOCH_SLOTS } from '../../ledger/time/sysvars.ts';
import { defineMethod } from '../rpc-method.ts';

/** `getEpochSchedule()`: how long epochs are, as the sysvar of that name says: all of one length from the first on. */
export const getEpochSchedule = defineMethod('getEpochSchedule', { required: [], optional: [] }, () => ({
  firstNormalEpoch: 0,
  firstNormalSlot: 0,
  leaderScheduleSlotOffset: EPOCH_SLOTS,
  slotsPerEpoch: EPOCH_SLOTS,
  warmup: false,
}));
