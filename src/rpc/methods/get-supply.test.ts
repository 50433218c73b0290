import { describe, expect, it } from 'vitest';
import { callForText } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { accountWith } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const ledger = new FixedLedger();
for (const [index, lamports] of [2n ** 53n, 1n].entries()) {
  ledger.setAccount(addressFilledWith(index + 1), { ...accountWith(new Uint8Array(0)), lamports });
}

describe('getSupply', () => {
  it.each([undefined, '[null]', '[{}]', '[{"commitment":"bogus","excludeNonCirculatingAccountsList":true}]'])(
    'returns the lamports of all accounts, which all circulate: %s',
    async (params) => {
      expect(await callForText(ledger, 'getSupply', params)).toBe(
        '"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":{"circulating":9007199254740993,' +
          '"nonCirculating":0,"nonCirculatingAccounts":[],"total":9007199254740993}}',
      );
    },
  );

  it.each([
    ['[{"excludeNonCirculatingAccountsList":null}]', 'invalid type: null, expected a boolean'],
    ['[5]', 'invalid type: integer `5`, expected struct RpcSupplyConfig'],
  ])('rejects %s', async (params, message) => {
    expect(await callForText(ledger, 'getSupply', params)).toContain(
      `"message":"Invalid params: ${message}."`,
    );
  });
});
