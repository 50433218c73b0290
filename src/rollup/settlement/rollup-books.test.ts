import { describe, expect, it } from 'vitest';
import { Accounts } from '../../ledger/state/accounts.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { MAGIC_PROGRAM } from '../../programs/addresses.ts';
import { addressOf } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { ROLLUP_BOOKS, rollupBooksAccount, readRollupBooks, type RollupBooks } from './rollup-books.ts';

const random = new SeededRandom('magic');
const eata = () => addressOf(random.bytes(32));
const signature = () => encodeBase58(random.bytes(64));
const baseGenesisHash = encodeBase58(random.bytes(32));

describe('the account of the books', () => {
  it.each<[string, RollupBooks['requests']]>([
    ['nothing to do', []],
    [
      'a request that no transaction was signed for',
      [{ eata: eata(), undelegation: signature(), signature: null }],
    ],
    [
      'requests in their order',
      [
        { eata: eata(), undelegation: signature(), signature: signature() },
        { eata: eata(), undelegation: signature(), signature: null },
        { eata: eata(), undelegation: signature(), signature: signature() },
      ],
    ],
  ])('keeps %s', (_, requests) => {
    const accounts = new Accounts();
    const account = rollupBooksAccount({ baseGenesisHash, requests });
    accounts.set(ROLLUP_BOOKS, account);
    expect(readRollupBooks(accounts)).toEqual({ baseGenesisHash, requests });
    expect(account.owner).toBe(MAGIC_PROGRAM);
    expect(account.data.length).toBe(33 + requests.length * 160);
  });

  it('of another version is not guessed at', () => {
    const accounts = new Accounts();
    expect(() => readRollupBooks(accounts)).toThrow('no books');
    const account = rollupBooksAccount({ baseGenesisHash, requests: [] });
    const data = new Uint8Array(account.data);
    data[0] = 1;
    accounts.set(ROLLUP_BOOKS, { ...account, data });
    expect(() => readRollupBooks(accounts)).toThrow('another version');
  });
});
