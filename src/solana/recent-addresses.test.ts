import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addressBytes, addressOf, isAddress, writeAddress, type Address } from './address.ts';
import { findPda } from './pda.ts';
import { recallAddress, recentBytes } from './recent-addresses.ts';

const random = (): Address => addressOf(new Uint8Array(randomBytes(32)));
const recall = (text: string): Uint8Array | undefined => {
  const at = recallAddress(text);
  return at < 0 ? undefined : recentBytes.slice(at, at + 32);
};

describe('recent addresses', () => {
  it('are remembered when they are decoded, checked or derived', () => {
    const [decoded, checked] = [random(), random()];
    expect(recall(decoded)).toBeUndefined();
    const bytes = addressBytes(decoded);
    expect(recall(decoded)).toEqual(bytes);
    expect(isAddress(checked)).toBe(true);
    expect(addressOf(recall(checked) as Uint8Array)).toBe(checked);
    const pda = findPda([addressBytes(decoded)], addressBytes(checked)).address;
    expect(addressOf(recall(pda) as Uint8Array)).toBe(pda);
  });

  it('do not take for known what is no address, an empty text included', () => {
    for (const text of ['', '1', 'zz', 'abc', 'é']) {
      expect(recallAddress(text)).toBe(-1);
      expect(isAddress(text)).toBe(false);
      expect(recallAddress(text)).toBe(-1);
    }
  });

  it('keep their bytes when a caller writes to what it was given', () => {
    const address = random();
    const bytes = addressBytes(address);
    addressBytes(address).fill(0);
    expect(addressBytes(address)).toEqual(bytes);
  });

  it('give the right bytes also after many others have come and gone', () => {
    const all = Array.from({ length: 10_000 }, () => new Uint8Array(randomBytes(32)));
    const texts = all.map(addressOf);
    const target = new Uint8Array(40);
    for (const pass of [1, 2]) {
      for (const [i, text] of texts.entries()) {
        writeAddress(target, 4, text);
        expect(Buffer.compare(target.subarray(4, 36), all[i] as Uint8Array), `${pass}: ${text}`).toBe(0);
      }
    }
    expect(texts.filter((text) => recallAddress(text) >= 0).length).toBeLessThan(5_000);
    expect([...target.subarray(0, 4), ...target.subarray(36)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe('addressBytes', () => {
  it('refuses a text of another length that was passed off as an address', () => {
    for (const text of ['', '11', '1'.repeat(33)])
      expect(() => addressBytes(text as Address)).toThrow(TypeError);
  });
});
