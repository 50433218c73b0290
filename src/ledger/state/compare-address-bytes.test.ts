import { describe, expect, it } from 'vitest';
import { addressOf } from '../../solana/address.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { compareAddressBytes } from './compare-address-bytes.ts';

describe('compareAddressBytes', () => {
  it('orders addresses by their bytes', () => {
    const random = new SeededRandom('addresses');
    const keys = Array.from({ length: 300 }, (_, index) => {
      const bytes = random.bytes(32);
      // Leading zero bytes become leading ones in base58, and texts of different lengths.
      bytes.fill(0, 0, index % 33);
      return bytes;
    });
    for (const a of keys) {
      for (const b of keys.slice(0, 60)) {
        expect(Math.sign(compareAddressBytes(addressOf(a), addressOf(b)))).toBe(Buffer.compare(a, b));
      }
    }
  });
});
