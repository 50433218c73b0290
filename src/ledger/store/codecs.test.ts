import { describe, expect, it } from 'vitest';
import { BPF_LOADER_2, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { decodeBase58 } from '../../solana/base58.ts';
import { makeRecord } from '../testing/make-record.ts';
import { decodeAccount, encodeAccount } from './account-codec.ts';
import { decodeRecord, encodeRecord } from './record-codec.ts';

describe('a kept account', () => {
  it.each<[string, Account]>([
    [
      'a wallet',
      { lamports: 1n, owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false, rentEpoch: 0n },
    ],
    [
      'the largest numbers',
      {
        lamports: 0xffff_ffff_ffff_ffffn,
        owner: TOKEN_PROGRAM,
        data: Uint8Array.of(0, 255, 1),
        executable: false,
        rentEpoch: 0xffff_ffff_ffff_ffffn,
      },
    ],
    [
      'a program',
      {
        lamports: 5n,
        owner: BPF_LOADER_2,
        data: new Uint8Array(70_000).fill(7),
        executable: true,
        rentEpoch: 9n,
      },
    ],
  ])('is read as it was written: %s', (_, account) => {
    const bytes = encodeAccount(account);
    const read = decodeAccount(bytes);
    expect(read).toEqual(account);
    bytes.fill(0);
    expect(read).toEqual(account);
  });
});

describe('a kept transaction', () => {
  it('is read as it was written', () => {
    const record = makeRecord('record', { slot: 600, index: 3 });
    expect(decodeRecord(encodeRecord(record, decodeBase58(record.signature), []))).toEqual(record);
  });
});
