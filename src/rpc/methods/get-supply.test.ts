import { describe, expect, it } from 'vitest';
import { CLOCK_SYSVAR } from '../../programs/sysvars.ts';
import type { Address } from '../../solana/address.ts';
import { NON_CIRCULATING_ACCOUNTS, NON_CIRCULATING_WITHDRAWERS } from '../accounts/non-circulating-keys.ts';
import { callForText, callMethod } from '../testing/call-method.ts';
import { FixedLedger } from '../testing/fixed-ledger.ts';
import { clockAccount, stakeAccount, type StakeFields } from '../testing/stake-account.ts';
import { accountWith } from '../testing/token-accounts.ts';
import { addressFilledWith } from '../testing/transactions.ts';

const STAKE = addressFilledWith(9);

/** A ledger in epoch 5, at 1000 s, with 1 lamport in its clock and these accounts. */
function ledgerWith(...accounts: readonly (readonly [string, bigint | StakeFields])[]): FixedLedger {
  const ledger = new FixedLedger();
  ledger.setAccount(CLOCK_SYSVAR, clockAccount(5n, 1_000n));
  for (const [address, held] of accounts) {
    const account =
      typeof held === 'bigint'
        ? { ...accountWith(new Uint8Array(0)), lamports: held }
        : stakeAccount({ lamports: 7n, ...held });
    ledger.setAccount(address, account);
  }
  return ledger;
}

const ledger = ledgerWith([addressFilledWith(1), 2n ** 53n], [NON_CIRCULATING_ACCOUNTS[3] as Address, 40n]);

const answer = (list: readonly string[]): string =>
  '"result":{"context":{"apiVersion":"4.2.1","slot":4711},"value":{"circulating":9007199254740993,' +
  `"nonCirculating":40,"nonCirculatingAccounts":${JSON.stringify(list)},"total":9007199254741033}}`;

describe('getSupply', () => {
  it.each([undefined, '[null]', '[{}]', '[{"excludeNonCirculatingAccountsList":false}]'])(
    'names the accounts that do not circulate, whether they exist or not: %s (bug: all lamports circulated)',
    async (params) => {
      expect(await callForText(ledger, 'getSupply', params)).toBe(answer(NON_CIRCULATING_ACCOUNTS));
    },
  );

  it('counts them even if the list is excluded', async () => {
    const params = '[{"commitment":"bogus","excludeNonCirculatingAccountsList":true}]';
    expect(await callForText(ledger, 'getSupply', params)).toBe(answer([]));
  });

  const withdrawer = [...NON_CIRCULATING_WITHDRAWERS][4] as Address;

  it.each<[string, StakeFields]>([
    ['locked up in time', { state: 1, lockedUntil: 1_001n }],
    ['locked up in epochs, delegated', { state: 2, lockedUntilEpoch: 6n }],
    ['withdrawn by one of the list', { state: 1, withdrawer }],
    ['withdrawn by one of the list, delegated', { state: 2, withdrawer }],
  ])('does not count a stake account as circulating if it is %s', async (_, fields) => {
    const { result } = await callMethod(ledgerWith([STAKE, fields]), 'getSupply');
    const nonCirculatingAccounts = [...NON_CIRCULATING_ACCOUNTS, STAKE];
    expect(result).toHaveProperty('value', {
      circulating: 1,
      nonCirculating: 7,
      nonCirculatingAccounts,
      total: 8,
    });
  });

  it.each<[string, StakeFields]>([
    ['whose lockup is over', { state: 2, lockedUntil: 1_000n, lockedUntilEpoch: 5n }],
    ['that is not initialised', { state: 0, withdrawer, lockedUntil: 2_000n }],
  ])('lets a stake account circulate %s', async (_, fields) => {
    const { result } = await callMethod(ledgerWith([STAKE, fields]), 'getSupply');
    expect(result).toHaveProperty('value.nonCirculating', 0);
  });

  it('ignores accounts of other programs, and truncated ones', async () => {
    const locked = stakeAccount({ state: 2, lockedUntil: 2_000n });
    const others = ledgerWith();
    others.setAccount(STAKE, { ...locked, owner: addressFilledWith(1) });
    others.setAccount(addressFilledWith(8), { ...locked, data: locked.data.subarray(0, 150) });
    const { result } = await callMethod(others, 'getSupply');
    expect(result).toHaveProperty('value.nonCirculating', 0);
  });

  it('counts a stake account at an address of the list once', async () => {
    const listed = NON_CIRCULATING_ACCOUNTS[0] as Address;
    const { result } = await callMethod(ledgerWith([listed, { state: 1, withdrawer }]), 'getSupply');
    expect(result).toMatchObject({ value: { nonCirculating: 7, nonCirculatingAccounts: { length: 110 } } });
  });

  it.each([
    ['[{"excludeNonCirculatingAccountsList":null}]', 'invalid type: null, expected a boolean'],
    ['[5]', 'invalid type: integer `5`, expected struct RpcSupplyConfig'],
  ])('refuses %s', async (params, message) => {
    expect(await callForText(ledger, 'getSupply', params)).toContain(
      `"message":"Invalid params: ${message}."`,
    );
  });
});
