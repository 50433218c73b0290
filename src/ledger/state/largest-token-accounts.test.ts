import { describe, expect, it } from 'vitest';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { addressBytes, addressOf } from '../../solana/address.ts';
import type { TokenHolding } from '../ledger.ts';
import { tokenAccount } from '../testing/make-account.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { Accounts } from './accounts.ts';
import { largestTokenAccounts } from './largest-token-accounts.ts';

const random = new SeededRandom('largest');
const mint = addressOf(random.bytes(32));
const owner = addressOf(random.bytes(32));

describe('largestTokenAccounts', () => {
  it('orders by amount and then by address bytes, both descending, also at the cut', () => {
    const accounts = new Accounts();
    const all: TokenHolding[] = [];
    for (let count = 0; count < 200; count++) {
      const address = addressOf(random.bytes(32));
      const amount = BigInt(random.integer(12));
      accounts.set(address, tokenAccount({ mint, owner }, amount, { state: 1 + (count % 2) }));
      all.push({ address, amount });
    }
    all.sort((a, b) =>
      a.amount === b.amount
        ? Buffer.compare(addressBytes(b.address), addressBytes(a.address))
        : Number(b.amount - a.amount),
    );
    expect(largestTokenAccounts(accounts, mint, TOKEN_PROGRAM, 20)).toEqual(all.slice(0, 20));
    expect(largestTokenAccounts(accounts, mint, TOKEN_PROGRAM, 1_000)).toEqual(all);
  });

  it('tells amounts apart that are the same double', () => {
    const accounts = new Accounts();
    const base = 2n ** 60n;
    for (const more of [3n, 1n, 7n, 5n, 2n]) {
      accounts.set(addressOf(random.bytes(32)), tokenAccount({ mint, owner }, base + more));
    }
    const amounts = largestTokenAccounts(accounts, mint, TOKEN_PROGRAM, 3).map(({ amount }) => amount);
    expect(amounts).toEqual([base + 7n, base + 5n, base + 3n]);
  });

  it('leaves out accounts of the other token program and of other mints', () => {
    const accounts = new Accounts();
    accounts.set(addressOf(random.bytes(32)), tokenAccount({ mint, owner }, 1n));
    accounts.set(addressOf(random.bytes(32)), tokenAccount({ mint: owner, owner }, 2n));
    const kept = addressOf(random.bytes(32));
    accounts.set(
      kept,
      tokenAccount({ mint, owner }, 0xffff_ffff_ffff_ffffn, { program: TOKEN_2022_PROGRAM }),
    );
    expect(largestTokenAccounts(accounts, mint, TOKEN_2022_PROGRAM, 20)).toEqual([
      { address: kept, amount: 0xffff_ffff_ffff_ffffn },
    ]);
  });

  it('is empty for a mint nobody holds', () => {
    expect(largestTokenAccounts(new Accounts(), mint, TOKEN_PROGRAM, 20)).toEqual([]);
  });
});
