import { describe, expect, it } from 'vitest';
import { callMethod } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

describe('getHighestSnapshotSlot', () => {
  it('reports that there are no snapshots', async () => {
    expect(await callMethod(new FixedLedger(), 'getHighestSnapshotSlot')).toEqual({
      error: { code: -32008, message: 'No snapshot' },
    });
  });

  it('accepts no parameters', async () => {
    expect(await callMethod(new FixedLedger(), 'getHighestSnapshotSlot', 1)).toEqual({
      error: {
        code: -32602,
        message: 'Invalid parameters: No parameters were expected',
        data: 'Array([Number(1)])',
      },
    });
  });
});
