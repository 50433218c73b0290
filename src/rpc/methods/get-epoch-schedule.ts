import { defineMethod } from '../rpc-method.ts';

/**
 * `getEpochSchedule()`: the length of epochs, as in the sysvar of that name. All have the same length from
 * the first on.
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
