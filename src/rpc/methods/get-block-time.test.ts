import { describe, expect, it } from 'vitest';
import { callForText, callMethod } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { blockOf } from '../testing/records.ts';

const ledger = new FixedLedger();
ledger.firstKeptSlot = 4000;
ledger.blocks.set(4700, blockOf(4700));

describe('getBlockTime', () => {
  it('returns the time at which the slot began', async () => {
    expect(await callMethod(ledger, 'getBlockTime', 4700)).toEqual({ result: 1_750_004_700 });
  });

  it.each<[number, number, string]>([
    [4712, -32004, 'Block not available for slot 4712'],
    [4701, -32007, 'Slot 4701 was skipped, or missing due to ledger jump to recent snapshot'],
    [3999, -32001, 'Block 3999 cleaned up, does not exist on node. First available block: 4000'],
  ])('says why there is no time for slot %d', async (slot, code, message) => {
    expect(await callMethod(ledger, 'getBlockTime', slot)).toEqual({ error: { code, message } });
  });

  it.each<[string | undefined, string]>([
    ['[]', 'Invalid params: invalid length 0, expected a tuple of size 1.'],
    [undefined, 'Invalid params: invalid type: null, expected a tuple of size 1.'],
    ['[1,2]', 'Invalid params: invalid length 2, expected fewer elements in array.'],
    ['{"slot":1}', 'Invalid params: invalid type: map, expected a tuple of size 1.'],
    ['["1"]', 'Invalid params: invalid type: string "1", expected u64.'],
  ])('reports the parameters %s like Agave', async (params, message) => {
    expect(await callForText(ledger, 'getBlockTime', params)).toBe(
      `"error":{"code":-32602,"message":${JSON.stringify(message)}}`,
    );
  });
});
