import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Address, addressBytes, addressOf, writeAddress } from './address.ts';

const random = (): Address => addressOf(new Uint8Array(randomBytes(32)));

describe('recent addresses', () => {
  it('keep their bytes when a caller modifies the returned copy', () => {
    const address = random();
    const bytes = addressBytes(address);
    addressBytes(address).fill(0);
    expect(addressBytes(address)).toEqual(bytes);
  });

  it('return the right bytes after many other addresses', () => {
    const all = Array.from({ length: 10_000 }, () => new Uint8Array(randomBytes(32)));
    const texts = all.map(addressOf);
    const target = new Uint8Array(40);
    for (const pass of [1, 2]) {
      for (const [i, text] of texts.entries()) {
        writeAddress(target, 4, text);
        expect(Buffer.compare(target.subarray(4, 36), all[i] as Uint8Array), `${pass}: ${text}`).toBe(0);
      }
    }
    expect([...target.subarray(0, 4), ...target.subarray(36)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('addressBytes', () => {
  it('rejects a text that is not an address', () => {
    for (const text of ['', '11', '1'.repeat(33)])
      expect(() => addressBytes(text as Address)).toThrow(TypeError);
  });
});
