import { describe, expect, it } from 'vitest';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { accountWith } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const ADDRESS = addressFilledWith(1);

describe('getBalance', () => {
  it('returns lamports with all their digits', async () => {
    const ledger = new FixedLedger();
    ledger.setAccount(ADDRESS, { ...accountWith(Buffer.alloc(0)), lamports: 18446744073709551615n });
    expect(await callForText(ledger, 'getBalance', `["${ADDRESS}"]`)).toBe(
      '"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":18446744073709551615}',
    );
  });

  it('returns 0 for a missing account', async () => {
    expect(await callMethod(new FixedLedger(), 'getBalance', ADDRESS)).toHaveProperty('result.value', 0);
  });

  it('checks the address before minContextSlot', async () => {
    const config = { minContextSlot: 9999 };
    expect(await callMethod(new FixedLedger(), 'getBalance', 'l', config)).toEqual(
      invalidParamsError('Invalid param: Invalid'),
    );
    expect(await callMethod(new FixedLedger(), 'getBalance', ADDRESS, config)).toHaveProperty(
      'error.code',
      -32016,
    );
  });
});
