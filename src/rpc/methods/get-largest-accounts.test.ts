import { describe, expect, it } from 'vitest';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { accountWith } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';

/** A ledger whose accounts hold these lamports, at addresses filled with 1, 2, 3 ... */
function ledgerOf(...lamports: bigint[]): FixedLedger {
  const ledger = new FixedLedger();
  for (const [index, amount] of lamports.entries()) {
    ledger.setAccount(addressFilledWith(index + 1), { ...accountWith(new Uint8Array(0)), lamports: amount });
  }
  return ledger;
}

describe('getLargestAccounts', () => {
  it('orders by lamports and then by address bytes, both descending', async () => {
    expect(await callForText(ledgerOf(5n, 18446744073709551615n, 5n), 'getLargestAccounts')).toBe(
      '"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":[' +
        `{"address":"${addressFilledWith(2)}","lamports":18446744073709551615},` +
        `{"address":"${addressFilledWith(3)}","lamports":5},{"address":"${addressFilledWith(1)}","lamports":5}]}`,
    );
  });

  it('returns at most 20 accounts, the same ones in any scan order', async () => {
    const lamports = Array.from({ length: 50 }, (_, index) => BigInt((index * 7) % 50));
    const { result } = await callMethod(ledgerOf(...lamports), 'getLargestAccounts');
    const value = (result as { value: { lamports: number }[] }).value.map((entry) => entry.lamports);
    expect(value).toEqual(Array.from({ length: 20 }, (_, index) => 49 - index));
  });

  it('returns every account as circulating', async () => {
    const ledger = ledgerOf(1n, 9n);
    const all = await callForText(ledger, 'getLargestAccounts');
    expect(await callForText(ledger, 'getLargestAccounts', '[{"filter":"circulating"}]')).toBe(all);
    const none = await callMethod(ledger, 'getLargestAccounts', { filter: 'nonCirculating' });
    expect(none).toHaveProperty('result.value', []);
  });

  it('rejects an unknown filter', async () => {
    expect(await callMethod(ledgerOf(1n), 'getLargestAccounts', { filter: 'bogus' })).toEqual(
      invalidParamsError(
        'Invalid params: unknown variant `bogus`, expected `circulating` or `nonCirculating`.',
      ),
    );
  });
});
