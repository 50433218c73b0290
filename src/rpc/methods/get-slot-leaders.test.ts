import { describe, expect, it } from 'vitest';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';

const ledger = new FixedLedger();

describe('getSlotLeaders', () => {
  it.each([0, 3, 5_000])('returns this node for each of %d slots', async (limit) => {
    const { result } = await callMethod(ledger, 'getSlotLeaders', 100, limit);
    expect(result).toEqual(Array.from({ length: limit }, () => ledger.identity));
  });

  it.each([
    [863_998, 2, null],
    [863_998, 3, 2],
    [864_000, 1, 2],
    [864_000, 0, null],
    [4_320_000_000, 5_000, 10_000],
  ])('reaches to the end of the next epoch, of which %d and %d slots need epoch %s', async (...given) => {
    const [first, limit, epoch] = given;
    const expected = Array.from({ length: limit }, () => ledger.identity);
    expect(await callMethod(ledger, 'getSlotLeaders', first, limit)).toEqual(
      epoch === null
        ? { result: expected }
        : invalidParamsError(`Invalid slot range: leader schedule for epoch ${epoch} is unavailable`),
    );
  });

  it('returns at most 5,000 slots', async () => {
    expect(await callMethod(ledger, 'getSlotLeaders', 100, 5_001)).toEqual(
      invalidParamsError('Invalid limit; max 5000'),
    );
  });

  it.each<[string | undefined, string]>([
    [undefined, 'Invalid params: invalid type: null, expected a tuple of size 2.'],
    ['[1]', 'Invalid params: invalid length 1, expected a tuple of size 2.'],
    ['[1,2,3]', 'Invalid params: invalid length 3, expected fewer elements in array.'],
  ])('reports the parameters %s like Agave', async (params, message) => {
    expect(await callForText(ledger, 'getSlotLeaders', params)).toBe(
      `"error":{"code":-32602,"message":${JSON.stringify(message)}}`,
    );
  });
});
