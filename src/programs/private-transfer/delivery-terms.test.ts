import { describe, expect, it } from 'vitest';
import { decodeDeliveryTerms, encodeDeliveryTerms } from './seal-transfer.ts';

const terms = { minDelayMs: 100n, maxDelayMs: 600_000n, split: 15, clientRefId: 42n };
const U64_MAX = 2n ** 64n - 1n;

describe('delivery terms', () => {
  it.each([
    { hex: '6400000000000000c0270900000000000f0000002a00000000000000', value: terms },
    { hex: '6400000000000000c0270900000000000f000000', value: { ...terms, clientRefId: null } },
    {
      hex: '6400000000000000c0270900000000000f0000000000000000000000',
      value: { ...terms, clientRefId: 0n },
    },
    {
      hex: 'ff'.repeat(28),
      value: { minDelayMs: U64_MAX, maxDelayMs: U64_MAX, split: 0xffff_ffff, clientRefId: U64_MAX },
    },
  ])('are $hex in bytes and come back from them', ({ value, hex }) => {
    const bytes = encodeDeliveryTerms(value);
    expect(Buffer.from(bytes).toString('hex')).toBe(hex);
    expect(decodeDeliveryTerms(bytes)).toEqual(value);
  });

  it.each([0, 19, 21, 27, 29])('are not read from %i bytes', (length) => {
    expect(decodeDeliveryTerms(new Uint8Array(length))).toBeNull();
  });

  it('are rejected when a number does not fit, rather than wrapped around', () => {
    expect(() => encodeDeliveryTerms({ ...terms, minDelayMs: -1n })).toThrow(RangeError);
    expect(() => encodeDeliveryTerms({ ...terms, clientRefId: U64_MAX + 1n })).toThrow(RangeError);
    expect(() => encodeDeliveryTerms({ ...terms, split: 2 ** 32 })).toThrow(RangeError);
  });
});
