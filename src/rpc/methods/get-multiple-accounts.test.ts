import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { accountWith } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const [A, B] = [addressFilledWith(1), addressFilledWith(2)];

function ledgerWith(data: Uint8Array): FixedLedger {
  const ledger = new FixedLedger();
  ledger.setAccount(A, accountWith(data, SYSTEM_PROGRAM));
  return ledger;
}

describe('getMultipleAccounts', () => {
  it('returns each account or null in the requested order, in base64', async () => {
    const account =
      '{"data":["dGVzdCBkYXRh","base64"],"executable":false,"lamports":2039280,' +
      '"owner":"11111111111111111111111111111111","rentEpoch":18446744073709551615,"space":9}';
    expect(
      await callForText(
        ledgerWith(Buffer.from('test data')),
        'getMultipleAccounts',
        `[["${B}","${A}","${A}"]]`,
      ),
    ).toBe(`"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":[null,${account},${account}]}`);
  });

  it('accepts the config of getAccountInfo', async () => {
    const ledger = ledgerWith(Buffer.from('test data'));
    const config = { encoding: 'base58', dataSlice: { offset: 0, length: 4 } };
    expect(await callMethod(ledger, 'getMultipleAccounts', [A], config)).toMatchObject({
      result: { value: [{ data: ['3yZe7d', 'base58'], space: 9 }] },
    });
    expect(await callMethod(ledger, 'getMultipleAccounts', [A], { minContextSlot: 4712 })).toHaveProperty(
      'error.code',
      -32016,
    );
  });

  it('returns an empty list without addresses', async () => {
    expect(await callMethod(new FixedLedger(), 'getMultipleAccounts', [])).toHaveProperty('result.value', []);
  });

  it('accepts 100 addresses and rejects more before checking them', async () => {
    const addresses = Array.from({ length: 100 }, () => A);
    expect(await callMethod(new FixedLedger(), 'getMultipleAccounts', addresses)).toHaveProperty('result');
    expect(await callMethod(new FixedLedger(), 'getMultipleAccounts', [...addresses, 'p'])).toEqual(
      invalidParamsError('Too many inputs provided; max 100'),
    );
  });

  it('rejects base58 for more than 128 bytes', async () => {
    expect(
      await callMethod(ledgerWith(Buffer.alloc(129)), 'getMultipleAccounts', [A], { encoding: 'base58' }),
    ).toHaveProperty('error.code', -32600);
  });

  it('explains an invalid address', async () => {
    expect(await callMethod(new FixedLedger(), 'getMultipleAccounts', [A, 'p'])).toEqual(
      invalidParamsError('Invalid param: WrongSize'),
    );
    expect(await callMethod(new FixedLedger(), 'getMultipleAccounts', A)).toEqual(
      invalidParamsError(`Invalid params: invalid type: string "${A}", expected a sequence.`),
    );
  });
});
