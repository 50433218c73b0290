import { describe, expect, it } from 'vitest';
import { addressFilledWith } from '../testing/transactions.ts';
import { callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FIXED_HEAD, FixedLedger } from '../testing/fixed-ledger.ts';

describe('isBlockhashValid', () => {
  it.each([
    [FIXED_HEAD.blockhash, true],
    [addressFilledWith(3), false],
  ])('returns whether %s would be accepted', async (blockhash, isValid) => {
    expect(await callMethod(new FixedLedger(), 'isBlockhashValid', blockhash)).toEqual({
      result: { context: { apiVersion: '4.2.1', slot: 4711 }, value: isValid },
    });
  });

  it.each([
    ['0', 'Invalid'],
    ['abc', 'WrongSize'],
  ])('explains what is wrong with %s, without a prefix', async (blockhash, message) => {
    expect(await callMethod(new FixedLedger(), 'isBlockhashValid', blockhash)).toEqual(
      invalidParamsError(message),
    );
  });

  it('checks the hash before minContextSlot', async () => {
    const config = { minContextSlot: 9999 };
    expect(await callMethod(new FixedLedger(), 'isBlockhashValid', '0', config)).toEqual(
      invalidParamsError('Invalid'),
    );
    expect(
      await callMethod(new FixedLedger(), 'isBlockhashValid', FIXED_HEAD.blockhash, config),
    ).toHaveProperty('error.code', -32016);
  });
});
