import { describe, expect, it } from 'vitest';
import { OTHER_VALIDATOR, VALIDATOR } from '../../../test/ports/holder.ts';
import { delegationRecordData } from '../../../test/ports/map-chain.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
} from '../../programs/addresses.ts';
import { type Account, RENT_EXEMPT_EPOCH } from '../../solana/account.ts';
import type { Address } from '../../solana/address.ts';
import { eataStatusOf, requireValidator } from './eata-status.ts';

const EATA = '4RvdEGaUyChj3AketeBZoY1EotNtPveMFUXL8DVetrAp' as Address;

const accountOf = (owner: Address, bytes: number, lamports = 1n): Account => ({
  lamports,
  owner,
  data: new Uint8Array(bytes),
  executable: false,
  rentEpoch: RENT_EXEMPT_EPOCH,
});

function eataOf(bytes: number, amount: bigint): Account {
  const account = accountOf(EPHEMERAL_TOKEN_PROGRAM, bytes);
  new DataView(account.data.buffer).setBigUint64(64, amount, true);
  return account;
}

const recordOf = (...record: Parameters<typeof delegationRecordData>): Account => ({
  ...accountOf(DELEGATION_PROGRAM, 0),
  data: delegationRecordData(...record),
});

/** A record of a validator, changed. */
function spoilt(change: (account: { data: Uint8Array; owner: Address }) => void): Account {
  const account = { ...recordOf(VALIDATOR) };
  change(account);
  return account;
}

describe('eataStatusOf', () => {
  it.each([
    ['is absent', null, null, { at: 'nowhere' }],
    ['has only lamports', accountOf(SYSTEM_PROGRAM, 0), null, { at: 'nowhere' }],
    ['is on base', eataOf(80, 7n), null, { at: 'base', amount: 7n }],
    ['is an older one on base', eataOf(72, 7n), null, { at: 'base', amount: 7n }],
    [
      'is delegated',
      accountOf(DELEGATION_PROGRAM, 80),
      recordOf(VALIDATOR),
      { at: 'rollup', validator: VALIDATOR },
    ],
    [
      'is delegated without record',
      accountOf(DELEGATION_PROGRAM, 80),
      null,
      { at: 'rollup', validator: null },
    ],
  ])('recognizes an eATA on layout B that %s', (_, account, record, status) => {
    expect(eataStatusOf(EATA, account, record, 'b')).toEqual(status);
  });

  it.each([
    ['of another owner', spoilt((account) => (account.owner = EPHEMERAL_TOKEN_PROGRAM))],
    ['of another kind', spoilt(({ data }) => (data[0] = 101))],
    ['that is too short', spoilt((account) => (account.data = account.data.subarray(0, 95)))],
    ['without data', spoilt((account) => (account.data = new Uint8Array()))],
    ["of another program's account", recordOf(VALIDATOR, PERMISSION_PROGRAM)],
    ['that any validator may take', recordOf(SYSTEM_PROGRAM)],
  ])('reads no validator from a record %s', (_, record) => {
    for (const account of [null, eataOf(80, 7n), accountOf(DELEGATION_PROGRAM, 80)]) {
      expect(() => eataStatusOf(EATA, account, record, 'b')).toThrow(
        expect.objectContaining({
          code: 'ACCOUNT_UNREADABLE',
          message: expect.stringContaining('The delegation record of'),
        }),
      );
    }
  });

  it.each([
    ['lamports that were sent to its address', accountOf(SYSTEM_PROGRAM, 0)],
    ['a record that was closed in this slot', { ...recordOf(VALIDATOR), lamports: 0n }],
  ])('does not mistake %s for a record', (_, record) => {
    expect(eataStatusOf(EATA, eataOf(80, 7n), record, 'b')).toEqual({ at: 'base', amount: 7n });
  });

  it.each([
    ['a', 80, '80 bytes instead of 72'],
    ['a', 0, '0 bytes instead of 72'],
    ['b', 73, '73 bytes instead of 80'],
  ] as const)('on layout %s rejects one of %i bytes', (layout, bytes, words) => {
    const account = accountOf(EPHEMERAL_TOKEN_PROGRAM, bytes);
    expect(() => eataStatusOf(EATA, account, null, layout)).toThrow(words);
  });
});

describe('requireValidator', () => {
  it('accepts an eATA that is not delegated, or is delegated to that validator', () => {
    requireValidator(EATA, { at: 'nowhere' }, VALIDATOR);
    requireValidator(EATA, { at: 'base', amount: 1n }, VALIDATOR);
    requireValidator(EATA, { at: 'rollup', validator: VALIDATOR }, VALIDATOR);
  });

  it('rejects another validator, and names the one to pass', () => {
    expect(() => requireValidator(EATA, { at: 'rollup', validator: OTHER_VALIDATOR }, VALIDATOR)).toThrow(
      `pass validator ${OTHER_VALIDATOR}`,
    );
  });

  it('rejects an unknown validator', () => {
    expect(() => requireValidator(EATA, { at: 'rollup', validator: null }, VALIDATOR)).toThrow(
      'delegation record cannot be read',
    );
  });
});
