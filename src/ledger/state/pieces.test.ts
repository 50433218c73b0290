import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedRange } from './changed-range.ts';
import { Pieces } from './pieces.ts';

const LENGTH = 50_000;

/** Where bytes are written, and which. */
const writes = fc.array(
  fc.record({ at: fc.nat(LENGTH), bytes: fc.uint8Array({ maxLength: 20_000 }), isRead: fc.boolean() }),
  { maxLength: 8 },
);

describe('bytes in pieces', () => {
  it('are what was written, and those they were made from stay as they are', () => {
    fc.assert(
      fc.property(writes, fc.nat(LENGTH), fc.nat(LENGTH), (all, one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const first = new Uint8Array(LENGTH).fill(9);
        const versions = [{ pieces: Pieces.of(first), expected: first }];
        for (const { at, bytes, isRead } of all) {
          const { pieces, expected } = versions.at(-1) as (typeof versions)[number];
          const written = bytes.subarray(0, LENGTH - at);
          const next = { pieces: pieces.with(at, written), expected: new Uint8Array(expected) };
          next.expected.set(written, at);
          expect(pieces.equals(next.pieces)).toBe(Buffer.compare(expected, next.expected) === 0);
          expect(pieces.changedRange(next.pieces)).toEqual(changedRange(expected, next.expected));
          expect(Buffer.compare(next.pieces.slice(from, to), next.expected.subarray(from, to))).toBe(0);
          // Reading one puts it together, and the next is made from what was put together.
          if (isRead) expect(Buffer.compare(next.pieces.whole, next.expected)).toBe(0);
          versions.push(next);
        }
        for (const { pieces, expected } of versions) {
          expect(Buffer.compare(pieces.whole, expected)).toBe(0);
        }
        expect(versions[0]?.pieces.whole === first).toBe(true);
        expect(first.every((byte) => byte === 9)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('tell themselves from what they were not made from, and the range that changed', () => {
    const [before, after] = [new Uint8Array(LENGTH), new Uint8Array(LENGTH)];
    after.set([1, 2], 30_000);
    expect(Pieces.of(before).changedRange(Pieces.of(after))).toEqual({ from: 30_000, to: 30_002 });
    expect(Pieces.of(before).changedRange(Pieces.of(new Uint8Array(LENGTH)))).toEqual({ from: 0, to: 0 });
    const isEqual = [before, after, new Uint8Array(LENGTH - 1)].map((each) =>
      Pieces.of(before).equals(Pieces.of(each)),
    );
    expect(isEqual).toEqual([true, false, false]);
  });

  it('share what was not written: a hundred versions of 4 MB take little more than one', () => {
    let newest = Pieces.of(new Uint8Array(4_000_000));
    const before = process.memoryUsage().arrayBuffers;
    const versions = Array.from({ length: 100 }, (_, index) => {
      newest = newest.with(index * 1_000, Uint8Array.of(1));
      return newest;
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4_000_000);
    expect(versions.map((each) => each.slice(50_000, 50_001)[0])).toEqual(
      versions.map((_, index) => (index < 50 ? 0 : 1)),
    );
  });

  it('copy what is cut out of them, also out of a Buffer', () => {
    const pieces = Pieces.of(Buffer.alloc(10));
    pieces.slice(0, 10).fill(1);
    pieces.with(0, Uint8Array.of()).slice(0, 10).fill(1);
    expect([...pieces.whole]).toEqual([...Buffer.alloc(10)]);
  });
});
