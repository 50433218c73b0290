import { describe, expect, it } from 'vitest';
import { readTokenAmount } from '../../ledger/state/accounts.ts';
import { tokenAccount } from '../../ledger/testing/make-account.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { addressBytes, addressOf } from '../../solana/address.ts';
import { type Holding, type KeyedAccount, largestAccounts } from './account-lists.ts';

const random = new SeededRandom('largest');
const mint = addressOf(random.bytes(32));
const owner = addressOf(random.bytes(32));

const accountWith = (amount: bigint, state = 1): KeyedAccount => [
  addressOf(random.bytes(32)),
  tokenAccount({ mint, owner }, amount, { state }),
];

function rank(accounts: readonly KeyedAccount[], count: number): readonly Holding[] {
  const steps = largestAccounts(accounts, ({ data }) => readTokenAmount(data), count);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

describe('largestAccounts', () => {
  it('orders by amount and then by address bytes, both descending, also at the cut', () => {
    const accounts = Array.from({ length: 200 }, (_, at) =>
      accountWith(BigInt(random.integer(12)), 1 + (at % 2)),
    );
    const all = accounts.map(([address, { data }]): Holding => [address, BigInt(data[64] as number)]);
    all.sort((a, b) =>
      a[1] === b[1] ? Buffer.compare(addressBytes(b[0]), addressBytes(a[0])) : Number(b[1] - a[1]),
    );
    expect(rank(accounts, 20)).toEqual(all.slice(0, 20));
    expect(rank(accounts, 1_000)).toEqual(all);
  });

  it('distinguishes amounts that are the same double', () => {
    const base = 2n ** 60n;
    const accounts = [3n, 1n, 7n, 5n, 2n].map((more) => accountWith(base + more));
    expect(rank(accounts, 3).map(([, amount]) => amount)).toEqual([base + 7n, base + 5n, base + 3n]);
  });

  it('is empty for a mint without holders', () => {
    expect(rank([], 20)).toEqual([]);
  });
});
