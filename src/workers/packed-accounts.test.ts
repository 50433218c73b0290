import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RENT_EXEMPT_EPOCH, type Account } from '../solana/account.ts';
import { addressOf } from '../solana/address.ts';
import { packAccounts, unpackAccounts } from './packed-accounts.ts';

const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

const account: fc.Arbitrary<Account> = fc.record({
  lamports: u64,
  owner: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(addressOf),
  data: fc.uint8Array({ maxLength: 300 }),
  executable: fc.boolean(),
  rentEpoch: fc.oneof(fc.constant(RENT_EXEMPT_EPOCH), u64),
});

const someAccounts = fc
  .array(fc.option(account), { maxLength: 12 })
  // Some of the same owner.
  .map((accounts) => [...accounts, ...accounts.slice(0, 3)]);

const plain = (accounts: readonly (Account | null)[]): unknown[] =>
  accounts.map((each) => each && { ...each, data: [...each.data] });

describe('packed accounts', () => {
  it('are the same when they are unpacked, absent ones among them', () => {
    fc.assert(
      fc.property(someAccounts, (accounts) => {
        expect(plain(unpackAccounts(packAccounts(accounts)))).toEqual(plain(accounts));
      }),
    );
  });

  it('that are cut short, or whose owners are missing, are not taken for others', () => {
    fc.assert(
      fc.property(account, fc.nat(), (one, cut) => {
        const [owners, bytes] = packAccounts([one]);
        const short = bytes.subarray(0, 1 + (cut % (bytes.length - 1)));
        expect(() => unpackAccounts([owners, short])).toThrow(RangeError);
        expect(() => unpackAccounts(['', bytes])).toThrow(RangeError);
      }),
    );
  });

  it('of any bytes at all are accounts within those bytes or an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        let unpacked: (Account | null)[] = [];
        try {
          unpacked = unpackAccounts([addressOf(new Uint8Array(32)), bytes]);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
        const dataBytes = unpacked.reduce((sum, each) => sum + (each?.data.length ?? 0), 0);
        expect(dataBytes).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});
