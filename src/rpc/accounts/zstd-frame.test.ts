import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { readZstd } from '../testing/read-zstd.ts';
import { zstdFrame } from './zstd-frame.ts';

/**
 * The blocks of a frame by the format's description (RFC 8878): the sizes of raw blocks, and what is in them.
 */
function readRawFrame(frame: Buffer): { readonly sizes: number[]; readonly content: Buffer } {
  expect(frame.subarray(0, 6).toString('hex')).toBe('28b52ffd0058');
  const sizes: number[] = [];
  const parts: Buffer[] = [];
  let at = 6;
  let isLast = false;
  while (!isLast) {
    const header = frame.readUIntLE(at, 3);
    isLast = (header & 1) === 1;
    expect((header >> 1) & 3).toBe(0);
    const size = header >> 3;
    sizes.push(size);
    parts.push(frame.subarray(at + 3, at + 3 + size));
    at += 3 + size;
  }
  expect(at).toBe(frame.length);
  return { sizes, content: Buffer.concat(parts) };
}

describe('zstdFrame()', () => {
  it('makes the very bytes Agave sends for small data', () => {
    expect(zstdFrame(Buffer.from('test data')).toString('base64')).toBe('KLUv/QBYSQAAdGVzdCBkYXRh');
  });

  it.each([
    [0, [0]],
    [1, [1]],
    [131072, [131072]],
    [131073, [131072, 1]],
    [300000, [131072, 131072, 37856]],
  ])('keeps all of %d bytes in blocks of at most 128 KiB', (byteCount, sizes) => {
    const data = Buffer.from(Uint8Array.from({ length: byteCount }, (_, index) => (index * 7) % 251));
    expect(readRawFrame(zstdFrame(data))).toEqual({ sizes, content: data });
  });

  it('makes runs of one byte small (bug: all blocks were raw), and keeps every byte', () => {
    const random = new SeededRandom('zstd');
    for (let round = 0; round < 50; round++) {
      const pieces = Array.from({ length: random.integer(8) }, () =>
        random.integer(2) === 0
          ? Buffer.alloc(random.integer(300_000), random.integer(3))
          : Buffer.from(random.bytes(random.integer(2_000))),
      );
      const data = Buffer.concat(pieces);
      expect(Buffer.compare(readZstd(zstdFrame(data)), data)).toBe(0);
    }
    expect(zstdFrame(new Uint8Array(131_097)).length).toBeLessThan(20);
    expect(zstdFrame(new Uint8Array(4_000_000)).length).toBeLessThan(200);
  });
});
