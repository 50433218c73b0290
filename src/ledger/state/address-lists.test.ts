import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../programs/addresses.ts';
import { addressOf, type Address } from '../../solana/address.ts';
import { accountOf, tokenAccount } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import type { AccountRange } from './account-source.ts';
import { AddressLists } from './address-lists.ts';

const random = new SeededRandom('address lists');
const addresses = (count: number): Address[] =>
  Array.from({ length: count }, () => addressOf(random.bytes(32)));
const [alice, bob, account] = addresses(3) as [Address, Address, Address];

const OF_PROGRAM = { program: TOKEN_PROGRAM } as const;
const of = (holder: 'mint' | 'owner' | 'delegate', address: Address) =>
  ({ holder, address, program: TOKEN_PROGRAM }) as const;

/** Lists of a source that counts how often it is asked. */
function open(found: readonly Address[] | null = [account]) {
  const asked: AccountRange[] = [];
  const lists = new AddressLists({
    addressesOf: (range) => {
      asked.push(range);
      return found;
    },
  });
  return { lists, asked };
}

describe('AddressLists', () => {
  it('asks for a range once, whatever program and mint of a holder are asked about', () => {
    const { lists, asked } = open();
    expect(lists.of(of('owner', alice))).toEqual([account]);
    expect(lists.of({ ...of('owner', alice), mint: USDC_MINT })).toEqual([account]);
    lists.of(of('delegate', alice));
    lists.of(of('owner', bob));
    lists.of({ program: alice });
    expect(asked).toHaveLength(4);
  });

  it.each<[string, AccountRange]>([
    ['its program', OF_PROGRAM],
    ['its mint', of('mint', USDC_MINT)],
    ['its wallet', of('owner', alice)],
    ['its delegate', of('delegate', bob)],
  ])('asks again once an account has come to %s', (_, range) => {
    const { lists, asked } = open();
    lists.of(range);
    lists.drop(tokenAccount({ mint: USDC_MINT, owner: alice }, 1n, { delegate: bob }));
    lists.of(range);
    expect(asked).toEqual([range, range]);
  });

  it('asks again for nothing else then', () => {
    const { lists, asked } = open();
    const others = [of('owner', bob), of('delegate', alice), of('mint', alice), { program: SYSTEM_PROGRAM }];
    for (const range of others) lists.of(range);
    lists.drop(tokenAccount({ mint: USDC_MINT, owner: alice }, 1n));
    for (const range of others) lists.of(range);
    expect(asked).toEqual(others);
    lists.drop(accountOf(SYSTEM_PROGRAM, new Uint8Array(0)));
    for (const range of others) lists.of(range);
    expect(asked.at(-1)).toEqual({ program: SYSTEM_PROGRAM });
    expect(asked).toHaveLength(others.length + 1);
  });

  it('remembers that a range is not short, and never asks for everything', () => {
    const { lists, asked } = open(null);
    expect([lists.of(OF_PROGRAM), lists.of(OF_PROGRAM), lists.of({ all: true })]).toEqual([null, null, null]);
    expect(asked).toEqual([OF_PROGRAM]);
  });

  it('asks again for what was forgotten, and not for what was given up', () => {
    const { lists, asked } = open();
    lists.of(OF_PROGRAM);
    lists.forget(OF_PROGRAM);
    lists.of(OF_PROGRAM);
    lists.giveUp(OF_PROGRAM);
    expect(lists.of(OF_PROGRAM)).toBeNull();
    expect(asked).toHaveLength(2);
  });

  it('keeps the lists that were asked for lately, and no more than it has room for', () => {
    const { lists, asked } = open(addresses(128));
    const owners = addresses(400);
    for (const owner of owners) lists.of(of('owner', owner));
    lists.of(of('owner', owners.at(-1) as Address));
    expect(asked).toHaveLength(400);
    lists.of(of('owner', owners[0] as Address));
    expect(asked).toHaveLength(401);
  });

  it('keeps no more lists than it may, in whatever order they are asked for (bug: what was found came on top)', () => {
    // 128 addresses, of which a generation keeps some 80 lists.
    const { lists, asked } = open(addresses(128));
    const programs = addresses(400);
    for (let count = 1; count <= programs.length; count++) {
      for (const program of programs.slice(0, count)) lists.of({ program });
    }
    asked.length = 0;
    for (const program of programs.toReversed()) lists.of({ program });
    expect(asked.length).toBeGreaterThan(200);
  });
});
