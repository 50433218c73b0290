import { describe, expect, it } from 'vitest';
import { addressBytes, addressOf } from '../../solana/address.ts';
import { accountWith } from '../testing/token-accounts.ts';
import { compareKeys, type KeyedAccount } from './keyed-accounts.ts';

describe('compareKeys()', () => {
  it('orders addresses as their bytes are ordered, leading zeros included', () => {
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
