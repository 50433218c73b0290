import { expect, it } from 'vitest';
import { decodeBase58, isAddress, isSignature } from './base58.ts';

it('reads leading zeros', () => {
  expect(decodeBase58('11')).toEqual(Uint8Array.of(0, 0));
  expect(decodeBase58('112')).toEqual(Uint8Array.of(0, 0, 1));
  expect(decodeBase58('5Q')).toEqual(Uint8Array.of(255));
});

it('tells addresses, signatures and neither apart', () => {
  const address = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  const signature = '5'.repeat(87);
  expect([isAddress(address), isSignature(address)]).toEqual([true, false]);
  expect([isAddress(signature), isSignature(signature)]).toEqual([false, true]);
  expect([isAddress('1'.repeat(32)), isAddress('1'.repeat(33)), isAddress('0OIl')]).toEqual([
    true,
    false,
    false,
  ]);
});
