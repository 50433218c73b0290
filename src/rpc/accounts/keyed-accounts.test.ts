import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { writeJson } from '../../json/write-json.ts';
import { SYSTEM_PROGRAM } from '../../programs/addresses.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import { Scan } from '../scan/scan.ts';
import { Scans } from '../scan/scans.ts';
import { accountWith } from '../testing/token-accounts.ts';
import { type AccountView, showAccount } from './account-encoding.ts';
import { compareKeys, type KeyedAccount, showFoundAccounts } from './account-lists.ts';

describe('compareKeys()', () => {
  it('orders addresses by their bytes, including leading zeros', () => {
    const account = accountWith(new Uint8Array(0));
    const entries: KeyedAccount[] = [];
    for (let zeros = 0; zeros <= 32; zeros += 4) {
      for (const fill of [0x01, 0x7f, 0x80, 0xff]) {
        for (const last of [0, 1, 255]) {
          const bytes = new Uint8Array(32).fill(fill, zeros);
          bytes[31] = last;
          entries.push([addressOf(bytes), account]);
        }
      }
    }
    const byBytes = entries.toSorted(([a], [b]) => Buffer.compare(addressBytes(a), addressBytes(b)));
    expect(entries.toSorted(compareKeys).map(([address]) => address)).toEqual(
      byBytes.map(([address]) => address),
    );
  });
});

/** Accounts with this much data, and how many of them were written. */
class CountedAccounts {
  written = 0;
  readonly all: readonly KeyedAccount[];

  constructor(count: number, dataBytes: number) {
    const data = new Uint8Array(dataBytes);
    const addressAt = (at: number): Address => addressOf(createHash('sha256').update(`${at}`).digest());
    this.all = Array.from({ length: count }, (_, at) => [addressAt(at), accountWith(data, SYSTEM_PROGRAM)]);
  }

  *entries(): Iterable<KeyedAccount> {
    for (const [address, account] of this.all) {
      const noteWritten = (): void => void (this.written += 1);
      yield [
        address,
        {
          ...account,
          get lamports() {
            noteWritten();
            return account.lamports;
          },
        },
      ];
    }
  }
}

describe('showFoundAccounts()', () => {
  const CLIENT = { address: 'client', isGone: () => false };
  const COUNT = 2_000;
  const LARGE_BYTES = 64 * 1024;
  const EVERY: AccountView = { encoding: 'base64', lookUp: () => null };

  async function show(
    accounts: CountedAccounts,
    view: AccountView,
    { lengthMax = Number.POSITIVE_INFINITY, isSorted = true } = {},
  ): Promise<unknown> {
    const scans = new Scans({ pause: async () => undefined });
    const listing = { program: SYSTEM_PROGRAM, view, isSorted };
    const scan = new Scan(() => showFoundAccounts(accounts.entries(), () => true, listing));
    return await scans.run(scan, lengthMax, CLIENT);
  }

  it('stops writing when the answer is too long (bug: it wrote all before it rejected)', async () => {
    const accounts = new CountedAccounts(COUNT, LARGE_BYTES);
    await expect(show(accounts, EVERY, { lengthMax: 1_000_000 })).rejects.toMatchObject({ code: -32600 });
    expect(accounts.written).toBeLessThan(100);
  });

  it.each([
    [10, 200, true],
    [10, 200, false],
    [40, 250_000, true],
    [20_000, 10, true],
    [20_000, 10, false],
  ])('lists %i accounts of %i bytes like a single write, sorted: %s', async (count, bytes, isSorted) => {
    const accounts = new CountedAccounts(count, bytes);
    const inOrder = isSorted ? accounts.all.toSorted(compareKeys) : accounts.all;
    const listed = inOrder.map(([pubkey, account]) => ({
      account: showAccount(pubkey, account, EVERY),
      pubkey,
    }));
    const text = String(await show(accounts, EVERY, { isSorted }));
    // Compared as one: a difference of a million characters would be printed.
    expect(text === writeJson(listed)).toBe(true);
  });
});
