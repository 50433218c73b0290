import { describe, expect, it } from 'vitest';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

const ledger = new FixedLedger();

describe('getSlotLeaders', () => {
  it.each([0, 3, 5_000])('answers this node for each of %d slots', async (limit) => {
    const { result } = await callMethod(ledger, 'getSlotLeaders', 100, limit);
    expect(result).toEqual(Array.from({ length: limit }, () => ledger.identity));
  });

  it('answers for 5,000 slots at most', async () => {
    expect(await callMethod(ledger, 'getSlotLeaders', 100, 5_001)).toEqual(
      invalidParamsError('Invalid limit; max 5000'),
    );
  });

  it.each<[string | undefined, string]>([
    [undefined, 'Invalid params: invalid type: null, expected a tuple of size 2.'],
    ['[1]', 'Invalid params: invalid length 1, expected a tuple of size 2.'],
    ['[1,2,3]', 'Invalid params: invalid length 3, expected fewer elements in array.'],
  ])('says of the parameters %s what Agave says of those of this method', async (params, message) => {
    expect(await callForText(ledger, 'getSlotLeaders', params)).toBe(
      `"error":{"code":-32602,"message":${JSON.stringify(message)}}`,
    );
  });
});
