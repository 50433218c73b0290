import { describe, expect, it } from 'vitest';
import { epochScheduleSysvar } from '../../ledger/time/sysvars.ts';
import { callMethod } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getEpochSchedule', () => {
  it('returns the values of the sysvar', async () => {
    const { data } = epochScheduleSysvar();
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    expect(await callMethod(new FixedLedger(), 'getEpochSchedule')).toEqual({
      result: {
        firstNormalEpoch: Number(view.getBigUint64(17, true)),
        firstNormalSlot: Number(view.getBigUint64(25, true)),
        leaderScheduleSlotOffset: Number(view.getBigUint64(8, true)),
        slotsPerEpoch: Number(view.getBigUint64(0, true)),
        warmup: data[16] === 1,
      },
    });
  });

  it('accepts no parameters', async () => {
    expect(await callMethod(new FixedLedger(), 'getEpochSchedule', 1)).toEqual({
      error: {
        code: -32602,
        message: 'Invalid parameters: No parameters were expected',
        data: 'Array([Number(1)])',
      },
    });
  });
});
