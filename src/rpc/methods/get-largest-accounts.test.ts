import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { NON_CIRCULATING_ACCOUNTS } from '../accounts/non-circulating-keys.ts';
import { callForText, callMethod, invalidParamsError } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { stakeAccount } from '../testing/stake-account.ts';
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
  it('answers by lamports and then by address bytes, both descending', async () => {
    expect(await callForText(ledgerOf(5n, 18446744073709551615n, 5n), 'getLargestAccounts')).toBe(
      '"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":[' +
        `{"address":"${addressFilledWith(2)}","lamports":18446744073709551615},` +
        `{"address":"${addressFilledWith(3)}","lamports":5},{"address":"${addressFilledWith(1)}","lamports":5}]}`,
    );
  });

  it('answers 20 accounts at most, the same ones in whatever order they are found', async () => {
    const lamports = Array.from({ length: 50 }, (_, index) => BigInt((index * 7) % 50));
    const { result } = await callMethod(ledgerOf(...lamports), 'getLargestAccounts');
    const value = (result as { value: { lamports: number }[] }).value.map((entry) => entry.lamports);
    expect(value).toEqual(Array.from({ length: 20 }, (_, index) => 49 - index));
  });

  it('answers those that circulate, or those that do not (bug: all circulated)', async () => {
    const ledger = ledgerOf(1n, 9n);
    const [listed, absent] = NON_CIRCULATING_ACCOUNTS as [Address, Address];
    const stake = addressFilledWith(3);
    ledger.setAccount(listed, { ...accountWith(new Uint8Array(0)), lamports: 5n });
    ledger.setAccount(stake, stakeAccount({ state: 2, lockedUntilEpoch: 6n, lamports: 7n }));
    const filtered = (filter: unknown): ReturnType<typeof callMethod> =>
      callMethod(ledger, 'getLargestAccounts', { filter });
    const [one, nine] = [addressFilledWith(1), addressFilledWith(2)].map((address, index) => ({
      address,
      lamports: index === 0 ? 1 : 9,
    }));
    const held = [
      { address: stake, lamports: 7 },
      { address: listed, lamports: 5 },
    ];
    expect(await filtered('circulating')).toHaveProperty('result.value', [nine, one]);
    expect(await filtered('nonCirculating')).toHaveProperty('result.value', held);
    expect(await filtered(null)).toHaveProperty('result.value', [nine, ...held, one]);
    expect(ledger.getAccount(absent)).toBeNull();
  });

  it('refuses an unknown filter', async () => {
    expect(await callMethod(ledgerOf(1n), 'getLargestAccounts', { filter: 'bogus' })).toEqual(
      invalidParamsError(
        'Invalid params: unknown variant `bogus`, expected `circulating` or `nonCirculating`.',
      ),
    );
  });
});
