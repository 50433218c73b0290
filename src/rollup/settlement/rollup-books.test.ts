import { describe, expect, it } from 'vitest';
import { Accounts } from '../../ledger/state/accounts.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { MAGIC_CONTEXT, MAGIC_PROGRAM } from '../../programs/addresses.ts';
import { addressOf } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import { magicContextAccount, readMagicContext, type MagicContext } from './magic-context.ts';

const random = new SeededRandom('magic');
const eata = () => addressOf(random.bytes(32));
const signature = () => encodeBase58(random.bytes(64));
const baseGenesisHash = encodeBase58(random.bytes(32));

describe('the Magic context account', () => {
  it.each<[string, MagicContext['requests']]>([
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
    const account = magicContextAccount({ baseGenesisHash, requests });
    accounts.set(MAGIC_CONTEXT, account);
    expect(readMagicContext(accounts)).toEqual({ baseGenesisHash, requests });
    expect(account.owner).toBe(MAGIC_PROGRAM);
    expect(account.data.length).toBe(33 + requests.length * 160);
  });

  it('of another version is not guessed at', () => {
    const accounts = new Accounts();
    expect(() => readMagicContext(accounts)).toThrow('no Magic context');
    const account = magicContextAccount({ baseGenesisHash, requests: [] });
    const data = new Uint8Array(account.data);
    data[0] = 1;
    accounts.set(MAGIC_CONTEXT, { ...account, data });
    expect(() => readMagicContext(accounts)).toThrow('another version');
  });
});
