import { defineMethod } from '../rpc-method.ts';

/**
 * `getEpochSchedule()`: how long epochs are, as the sysvar of that name says: all of one length from the
 * first on.
 */
export const getEpochSchedule = defineMethod(
  'getEpochSchedule',
  { required: [], optional: [] },
  ({ ledger }) => ({
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
    leaderScheduleSlotOffset: ledger.epochSlots,
    slotsPerEpoch: ledger.epochSlots,
    warmup: false,
  }),
);
