import { describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { type Address, addressOf } from '../../solana/address.ts';
import { programAccounts } from '../genesis/program-accounts.ts';
import { Accounts } from '../state/accounts.ts';
import { accountOf } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { loadedDataSize } from './account-states.ts';

const random = new SeededRandom('size');
const [a, b, absent, program] = Array.from({ length: 4 }, () => addressOf(random.bytes(32))) as [
  Address,
  Address,
  Address,
  Address,
];
const accounts = new Accounts();
accounts.set(a, accountOf(SYSTEM_PROGRAM, new Uint8Array(0)));
accounts.set(b, accountOf(SYSTEM_PROGRAM, new Uint8Array(165)));
const deployed = programAccounts(program, new Uint8Array(1_000));
for (const [address, account] of deployed) accounts.set(address, account);
const programData = deployed[0]?.[0] as Address;

function sizeOf(addresses: readonly Address[], tables = 0): number {
  return loadedDataSize(
    addresses,
    addresses.map((address) => accounts.get(address)),
    tables,
    accounts,
  );
}

describe('loadedDataSize', () => {
  it.each<[string, readonly Address[], number]>([
    ['nothing', [], 0],
    ['an account without data', [a], 64],
    ['accounts that exist and one that does not', [a, b, absent], 64 + 64 + 165],
    ['a program with its code', [program], 64 + 36 + 64 + 45 + 1_000],
    ['a program next to its code, which counts once', [program, programData], 64 + 36 + 64 + 45 + 1_000],
  ])('adds up %s', (_, addresses, size) => {
    expect(sizeOf(addresses)).toBe(size);
  });

  it('adds 8248 for every lookup table', () => {
    expect(sizeOf([a], 2)).toBe(64 + 16_496);
  });

  it('counts shared code of several programs once', () => {
    const twin = addressOf(random.bytes(32));
    accounts.set(twin, accounts.get(program) as NonNullable<ReturnType<Accounts['get']>>);
    expect(sizeOf([program, twin])).toBe(2 * (64 + 36) + 64 + 45 + 1_000);
  });
});
