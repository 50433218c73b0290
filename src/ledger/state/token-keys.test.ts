import { describe, expect, it } from 'vitest';
import { readTokenAmount } from './accounts.ts';

describe('readTokenAmount()', () => {
  it.each([
    0n,
    1n,
    0xff00_0000n,
    0xffff_ffffn,
    0x1_0000_0000n,
    1n << 53n,
    0x0102_0304_0506_0708n,
    (1n << 64n) - 1n,
  ])('reads %d', (amount) => {
    const data = Buffer.alloc(165, 0xff);
    data.writeBigUInt64LE(amount, 64);
    expect(readTokenAmount(data)).toBe(amount);
  });

  it('rejects data that is too short for an amount', () => {
    expect(() => readTokenAmount(new Uint8Array(71))).toThrow(RangeError);
  });
});
