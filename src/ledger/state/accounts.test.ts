import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import { accountOf, tokenAccount } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { Accounts } from './accounts.ts';
import { readTokenKeys } from './token-keys.ts';

const random = new SeededRandom('accounts');
const [a, b, mint, otherMint, alice, bob] = Array.from({ length: 6 }, () => addressOf(random.bytes(32))) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
];
const wallet = accountOf(SYSTEM_PROGRAM, new Uint8Array(0));
const gone = { ...wallet, lamports: 0n };

describe('Accounts', () => {
  it('lists an account with its owner, and moves it when the owner changes', () => {
    const accounts = new Accounts();
    accounts.set(a, wallet);
    accounts.set(b, wallet);
    expect([...accounts.ownedBy(SYSTEM_PROGRAM)]).toEqual([a, b]);
    accounts.set(a, { ...wallet, owner: TOKEN_PROGRAM });
    expect([...accounts.ownedBy(SYSTEM_PROGRAM)]).toEqual([b]);
    expect([...accounts.ownedBy(TOKEN_PROGRAM)]).toEqual([a]);
  });

  it('forgets an account without lamports in every list', () => {
    const accounts = new Accounts();
    accounts.set(a, tokenAccount({ mint, owner: alice }, 5n));
    accounts.set(a, gone);
    expect(accounts.get(a)).toBeUndefined();
    expect(accounts.size).toBe(0);
    expect(accounts.tokenKeysAt(a)).toBeNull();
    expect([
      accounts.ownedBy(TOKEN_PROGRAM).size,
      accounts.tokenAccountsOf(mint).size,
      accounts.tokenAccountsHeldBy(alice).size,
    ]).toEqual([0, 0, 0]);
  });

  it('lists token accounts by mint and by the wallet that holds them', () => {
    const accounts = new Accounts();
    accounts.set(a, tokenAccount({ mint, owner: alice }, 5n));
    accounts.set(b, tokenAccount({ mint, owner: bob }, 5n, { state: 2 }));
    expect([...accounts.tokenAccountsOf(mint)]).toEqual([a, b]);
    accounts.set(a, tokenAccount({ mint, owner: bob }, 6n));
    expect([...accounts.tokenAccountsHeldBy(alice)]).toEqual([]);
    expect([...accounts.tokenAccountsHeldBy(bob)]).toEqual([b, a]);
    accounts.set(a, tokenAccount({ mint: otherMint, owner: bob }, 6n));
    expect([...accounts.tokenAccountsOf(mint)]).toEqual([b]);
    expect(accounts.tokenKeysAt(a)).toEqual({ mint: otherMint, owner: bob });
  });

  it.each<[string, Account]>([
    ['an uninitialised token account', tokenAccount({ mint, owner: alice }, 5n, { state: 0 })],
    ['an account of another program', tokenAccount({ mint, owner: alice }, 5n, { program: SYSTEM_PROGRAM })],
    ['an account of another length', accountOf(TOKEN_PROGRAM, new Uint8Array(164).fill(1))],
  ])('does not take %s for a token account, also where one was before', (_, account) => {
    const accounts = new Accounts();
    accounts.set(a, account);
    accounts.set(b, tokenAccount({ mint, owner: alice }, 5n));
    accounts.set(b, account);
    expect(accounts.tokenAccountsOf(mint).size).toBe(0);
    expect(accounts.tokenAccountsHeldBy(alice).size).toBe(0);
  });

  it('knows the token accounts of Token-2022 as well', () => {
    const accounts = new Accounts();
    const data = new Uint8Array(170);
    data.set(tokenAccount({ mint, owner: alice }, 5n).data);
    data[165] = 2;
    accounts.set(a, accountOf(TOKEN_2022_PROGRAM, data));
    expect(accounts.tokenKeysAt(a)).toEqual({ mint, owner: alice });
  });

  it('keeps its lists equal to what a scan of the accounts finds, whatever is put in place', () => {
    const accounts = new Accounts();
    const expected = new Map<Address, Account>();
    const addresses = Array.from({ length: 12 }, () => addressOf(random.bytes(32)));
    const mints = [mint, otherMint];
    const wallets = [alice, bob];
    for (let step = 0; step < 3_000; step++) {
      const address = addresses[random.integer(12)] as Address;
      const keys = {
        mint: mints[random.integer(2)] as Address,
        owner: wallets[random.integer(2)] as Address,
      };
      const choices = [
        wallet,
        gone,
        tokenAccount(keys, 1n),
        tokenAccount(keys, 2n, { state: random.integer(4) }),
        tokenAccount(keys, 3n, { program: random.integer(2) === 0 ? TOKEN_2022_PROGRAM : SYSTEM_PROGRAM }),
      ];
      const account = choices[random.integer(choices.length)] as Account;
      accounts.set(address, account);
      if (account.lamports === 0n) expected.delete(address);
      else expected.set(address, account);
    }
    const scan = (test: (account: Account) => boolean): Address[] =>
      [...expected].filter(([, account]) => test(account)).map(([address]) => address);
    for (const program of [SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      expect([...accounts.ownedBy(program)].sort()).toEqual(
        scan((account) => account.owner === program).sort(),
      );
    }
    for (const each of mints) {
      expect([...accounts.tokenAccountsOf(each)].sort()).toEqual(
        scan((account) => readTokenKeys(account)?.mint === each).sort(),
      );
    }
    for (const each of wallets) {
      expect([...accounts.tokenAccountsHeldBy(each)].sort()).toEqual(
        scan((account) => readTokenKeys(account)?.owner === each).sort(),
      );
    }
  });
});
