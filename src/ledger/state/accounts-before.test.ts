import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { accountOf } from '../testing/make-account.ts';
import { Accounts, accountsBefore } from './accounts.ts';

const address = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte));
const [kept, made, gone, moved] = [1, 2, 3, 4].map(address) as [Address, Address, Address, Address];
const [first, second, third] = [1, 2, 3].map((byte) => accountOf(TOKEN_PROGRAM, Uint8Array.of(byte))) as [
  ReturnType<typeof accountOf>,
  ReturnType<typeof accountOf>,
  ReturnType<typeof accountOf>,
];
const elsewhere = accountOf(SYSTEM_PROGRAM, Uint8Array.of(9));

function now(): Accounts {
  const accounts = new Accounts();
  accounts.set(kept, first);
  accounts.set(made, second);
  accounts.set(moved, elsewhere);
  return accounts;
}

describe('accounts before some changes', () => {
  const before = accountsBefore(
    [
      { address: made, before: null, after: first },
      { address: gone, before: third, after: null },
      { address: moved, before: second, after: third },
      { address: moved, before: third, after: elsewhere },
      { address: made, before: first, after: second },
    ],
    now(),
  );

  it('are those before the first change of each, and the current ones for all others', () => {
    expect([kept, made, gone, moved].map((each) => before.get(each))).toEqual([
      first,
      undefined,
      third,
      second,
    ]);
  });

  it('are found by the program that owned them then', () => {
    const owned = (program: Address) => [...before.ownedBy(program)].map(([each]) => each).sort();
    expect(owned(TOKEN_PROGRAM)).toEqual([kept, gone, moved].sort());
    expect(owned(SYSTEM_PROGRAM)).toEqual([]);
  });

  it('are the current ones if nothing has changed', () => {
    const accounts = now();
    expect(accountsBefore([], accounts)).toBe(accounts);
  });
});
