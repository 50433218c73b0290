import { describe, expect, it } from 'vitest';
import { ServiceError } from '../errors/service-error.ts';
import { addressBytes, addressOf, decodeKey, isAddress, isAddressAt, parseAddress } from './address.ts';

const SYSTEM = '11111111111111111111111111111111';

describe('address', () => {
  it('is the base58 text of exactly 32 bytes', () => {
    expect(isAddress(SYSTEM)).toBe(true);
    expect(isAddress(SYSTEM.slice(1))).toBe(false);
    expect(isAddress(`${SYSTEM}1`)).toBe(false);
    expect(isAddress('')).toBe(false);
  });

  it('survives a round trip through its bytes', () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, i) => i * 7);
    expect(addressBytes(addressOf(bytes))).toEqual(bytes);
  });

  it('is recognized by all of its bytes at an offset', () => {
    const bytes = Uint8Array.from({ length: 40 }, (_, i) => i * 5);
    const address = addressOf(bytes.subarray(3, 35));
    expect(isAddressAt(bytes, 3, address)).toBe(true);
    expect([2, 4, 30].map((offset) => isAddressAt(bytes, offset, address))).toEqual([false, false, false]);
    expect(isAddressAt(bytes.subarray(0, 34), 3, address)).toBe(false);
    for (let i = 3; i < 35; i++) {
      const changed = bytes.with(i, (bytes[i] as number) ^ 1);
      expect(isAddressAt(changed, 3, address)).toBe(false);
    }
  });

  it('names the rejected field', () => {
    expect(() => parseAddress('nope!', 'owner')).toThrow(ServiceError);
    expect(() => parseAddress('nope!', 'owner')).toThrow('owner must be a base58 Solana address of 32 bytes');
    expect(parseAddress(SYSTEM, 'owner')).toBe(SYSTEM);
  });
});

describe('decodeKey checks length of text, then characters, then value, like Agave', () => {
  it.each([
    ['0'.repeat(45), 'WrongSize'],
    ['0'.repeat(44), 'Invalid'],
    ['z'.repeat(44), 'WrongSize'],
    ['', 'WrongSize'],
    ['abc', 'WrongSize'],
    ['invalid_key', 'Invalid'],
  ])('%s is %s', (text, fault) => {
    expect(decodeKey(text, 32, 44)).toBe(fault);
  });
});
