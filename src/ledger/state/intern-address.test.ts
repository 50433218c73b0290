import { expect, it } from 'vitest';
import { addressOf } from '../../solana/address.ts';
import { SeededRandom } from '../testing/seeded-random.ts';
import { internAddress } from './intern-address.ts';

it('internAddress returns the same as addressOf for any number of keys', () => {
  const random = new SeededRandom('intern');
  const first = random.bytes(32);
  expect(internAddress(first)).toBe(addressOf(first));
  for (let count = 0; count < 5_000; count++) {
    const bytes = random.bytes(40).subarray(4, 36);
    expect(internAddress(bytes)).toBe(addressOf(bytes));
  }
  expect(internAddress(first)).toBe(addressOf(first));
});
