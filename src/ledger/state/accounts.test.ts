import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import type { Account } from '../../solana/account.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { accountOf, tokenAccount } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { Accounts, readTokenKeys } from './accounts.ts';

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

const addresses = (entries: Iterable<readonly [Address, Account]>): Address[] =>
  [...entries].map(([address]) => address);
const held = (accounts: Accounts, owner: Address, program = TOKEN_PROGRAM): Address[] =>
  addresses(accounts.tokenAccounts({ holder: 'owner', address: owner, program }));
const delegated = (accounts: Accounts, delegate: Address): Address[] =>
  addresses(accounts.tokenAccounts({ holder: 'delegate', address: delegate, program: TOKEN_PROGRAM }));

describe('Accounts', () => {
  it('lists an account with its owner, and moves it when the owner changes', () => {
    const accounts = new Accounts();
    accounts.set(a, wallet);
    accounts.set(b, wallet);
    expect(addresses(accounts.ownedBy(SYSTEM_PROGRAM))).toEqual([a, b]);
    accounts.set(a, { ...wallet, owner: TOKEN_PROGRAM });
    expect([...accounts.ownedBy(SYSTEM_PROGRAM)]).toEqual([[b, wallet]]);
    expect(addresses(accounts.ownedBy(TOKEN_PROGRAM))).toEqual([a]);
  });

  it('forgets an account without lamports in every list', () => {
    const accounts = new Accounts();
    accounts.set(a, tokenAccount({ mint, owner: alice }, 5n));
    accounts.set(a, gone);
    expect(accounts.get(a)).toBeUndefined();
    expect(accounts.size).toBe(0);
    expect(accounts.tokenKeysAt(a)).toBeNull();
    expect([...accounts.ownedBy(TOKEN_PROGRAM)]).toEqual([]);
    expect([...accounts.tokenAccountsOf(mint)]).toEqual([]);
    expect(held(accounts, alice)).toEqual([]);
    expect(accounts.totalLamports).toBe(0n);
  });

  it('lists token accounts by mint and by the wallet that holds them', () => {
    const accounts = new Accounts();
    accounts.set(a, tokenAccount({ mint, owner: alice }, 5n));
    accounts.set(b, tokenAccount({ mint, owner: bob }, 5n, { state: 2 }));
    expect([...accounts.tokenAccountsOf(mint)]).toEqual([a, b]);
    accounts.set(a, tokenAccount({ mint, owner: bob }, 6n));
    expect(held(accounts, alice)).toEqual([]);
    expect(held(accounts, bob)).toEqual([b, a]);
    accounts.set(a, tokenAccount({ mint: otherMint, owner: bob }, 6n));
    expect([...accounts.tokenAccountsOf(mint)]).toEqual([b]);
    expect(accounts.tokenKeysAt(a)).toEqual({ mint: otherMint, owner: bob, delegate: null });
  });

  it.each([
    ['the type of a mint', 165, 1],
    ['a close authority that no program unpacks', 129, 2],
    ['a reserve that no program unpacks', 109, 2],
  ])(
    'no longer lists a token account after it has %s (bug: only its state and keys were checked)',
    (_, at, byte) => {
      const accounts = new Accounts();
      const plain = tokenAccount({ mint, owner: alice }, 5n, { program: TOKEN_2022_PROGRAM, delegate: bob });
      const data = new Uint8Array(170);
      data.set(plain.data);
      data[165] = 2;
      accounts.set(a, { ...plain, data });
      expect(held(accounts, alice, TOKEN_2022_PROGRAM)).toEqual([a]);
      const other = data.slice();
      other[at] = byte;
      accounts.set(a, { ...plain, data: other });
      expect(accounts.tokenKeysAt(a)).toBeNull();
      expect(held(accounts, alice, TOKEN_2022_PROGRAM)).toEqual([]);
      expect([...accounts.tokenAccountsOf(mint)]).toEqual([]);
    },
  );

  it('lists token accounts by delegate, also when only the delegate changes', () => {
    const accounts = new Accounts();
    accounts.set(a, tokenAccount({ mint, owner: alice }, 5n));
    expect(delegated(accounts, bob)).toEqual([]);
    accounts.set(a, tokenAccount({ mint, owner: alice }, 5n, { delegate: bob }));
    expect(delegated(accounts, bob)).toEqual([a]);
    accounts.set(a, tokenAccount({ mint, owner: alice }, 5n, { delegate: alice }));
    expect([delegated(accounts, bob), delegated(accounts, alice)]).toEqual([[], [a]]);
    accounts.set(a, tokenAccount({ mint, owner: alice }, 4n));
    expect(delegated(accounts, alice)).toEqual([]);
  });

  it('finds the token accounts of one mint and of one program', () => {
    const accounts = new Accounts();
    accounts.set(a, tokenAccount({ mint, owner: alice }, 5n));
    accounts.set(b, tokenAccount({ mint: otherMint, owner: alice }, 5n));
    const find = (program: Address, of?: Address): Address[] =>
      addresses(
        accounts.tokenAccounts({ holder: 'owner', address: alice, program, ...(of && { mint: of }) }),
      );
    expect(find(TOKEN_PROGRAM)).toEqual([a, b]);
    expect(find(TOKEN_PROGRAM, otherMint)).toEqual([b]);
    expect(find(TOKEN_2022_PROGRAM)).toEqual([]);
    const ofMint = (program: Address): Address[] =>
      addresses(accounts.tokenAccounts({ holder: 'mint', address: mint, program }));
    expect([ofMint(TOKEN_PROGRAM), ofMint(TOKEN_2022_PROGRAM)]).toEqual([[a], []]);
    accounts.set(a, tokenAccount({ mint, owner: alice }, 5n, { program: TOKEN_2022_PROGRAM }));
    expect([ofMint(TOKEN_PROGRAM), ofMint(TOKEN_2022_PROGRAM)]).toEqual([[], [a]]);
    accounts.set(a, wallet);
    expect([ofMint(TOKEN_PROGRAM), ofMint(TOKEN_2022_PROGRAM)]).toEqual([[], []]);
  });

  it('returns the token accounts of a mint as a map that is cheap to snapshot', () => {
    const accounts = new Accounts();
    accounts.set(a, tokenAccount({ mint, owner: alice }, 5n));
    const found = accounts.tokenAccounts({ holder: 'mint', address: mint, program: TOKEN_PROGRAM });
    expect(found).toEqual(new Map([[a, accounts.get(a)]]));
  });

  it.each<[string, Account]>([
    ['an uninitialized token account', tokenAccount({ mint, owner: alice }, 5n, { state: 0 })],
    ['an account of another program', tokenAccount({ mint, owner: alice }, 5n, { program: SYSTEM_PROGRAM })],
    ['an account of another length', accountOf(TOKEN_PROGRAM, new Uint8Array(164).fill(1))],
  ])('does not treat %s as a token account, even if it was one before', (_, account) => {
    const accounts = new Accounts();
    accounts.set(a, account);
    accounts.set(b, tokenAccount({ mint, owner: alice }, 5n));
    accounts.set(b, account);
    expect([...accounts.tokenAccountsOf(mint)]).toEqual([]);
    expect(held(accounts, alice)).toEqual([]);
  });

  it('also finds the token accounts of Token-2022', () => {
    const accounts = new Accounts();
    const data = new Uint8Array(170);
    data.set(tokenAccount({ mint, owner: alice }, 5n).data);
    data[165] = 2;
    accounts.set(a, accountOf(TOKEN_2022_PROGRAM, data));
    expect(accounts.tokenKeysAt(a)).toEqual({ mint, owner: alice, delegate: null });
  });

  it('keeps its indexes equal to a scan of the accounts after any change', () => {
    const accounts = new Accounts();
    const expected = new Map<Address, Account>();
    const places = Array.from({ length: 12 }, () => addressOf(random.bytes(32)));
    const mints = [mint, otherMint];
    const wallets = [alice, bob];
    for (let step = 0; step < 3_000; step++) {
      const address = places[random.integer(12)] as Address;
      const keys = {
        mint: mints[random.integer(2)] as Address,
        owner: wallets[random.integer(2)] as Address,
      };
      const choices = [
        wallet,
        gone,
        tokenAccount(keys, 1n),
        tokenAccount(keys, 2n, { state: random.integer(4) }),
        tokenAccount(keys, 2n, { delegate: wallets[random.integer(2)] as Address }),
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
      expect(addresses(accounts.ownedBy(program)).sort()).toEqual(
        scan((account) => account.owner === program).sort(),
      );
    }
    for (const each of mints) {
      expect([...accounts.tokenAccountsOf(each)].sort()).toEqual(
        scan((account) => readTokenKeys(account)?.mint === each).sort(),
      );
    }
    const isOf = (account: Account, program: Address): boolean => account.owner === program;
    for (const each of wallets) {
      for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
        expect(held(accounts, each, program).sort()).toEqual(
          scan((account) => isOf(account, program) && readTokenKeys(account)?.owner === each).sort(),
        );
      }
      expect(delegated(accounts, each).sort()).toEqual(
        scan((account) => readTokenKeys(account)?.delegate === each).sort(),
      );
    }
    expect(new Map(accounts.entries())).toEqual(expected);
    expect(accounts.totalLamports).toBe(
      [...expected.values()].reduce((sum, { lamports }) => sum + lamports, 0n),
    );
  });
});
