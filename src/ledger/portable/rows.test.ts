import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { addressOf } from '../../solana/address.ts';
import { accountOf } from '../testing/make-account.ts';
import { makeRecord } from '../testing/make-record.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { readRow, writeRow } from './rows.ts';

const random = new SeededRandom('portable');
const account = { ...accountOf(SYSTEM_PROGRAM, random.bytes(60)), rentEpoch: 0xffff_ffff_ffff_ffffn };
const address = addressOf(random.bytes(32));

describe('a row', () => {
  it('has every member of a transaction, to the last bit', () => {
    const record = makeRecord('row', { slot: 9, index: 3 });
    const row = { type: 'transaction', record, listedUnder: [address] } as const;
    expect(readRow(writeRow(row))).toEqual(row);
  });

  it('has an account whose numbers are u64::MAX', () => {
    const row = { type: 'account', address, ...account, lamports: 0xffff_ffff_ffff_ffffn } as const;
    expect(readRow(writeRow(row))).toEqual(row);
  });
});
