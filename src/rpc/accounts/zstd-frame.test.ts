import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { readZstd } from '../testing/read-zstd.ts';
import { compressZstd, zstdFrame } from './account-encoding.ts';

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
  it('produces exactly the bytes Agave sends for small data', () => {
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
});

describe('compressZstd()', () => {
  const random = new SeededRandom('compress');
  /** Text that repeats itself, without runs of one byte. */
  const repeating = Buffer.from('the same words again, '.repeat(2_000));
  const samples = [0, 1, 200, 1_023, 1_024, 300_000, 1_100_000].map((size) =>
    Buffer.from(random.bytes(size)),
  );

  it('keeps every byte', () => {
    for (const data of [repeating, ...samples]) {
      expect(Buffer.compare(readZstd(compressZstd(data)), data)).toBe(0);
    }
  });

  it('compresses on a Node version that supports it', ({ skip }) => {
    const { zstdDecompressSync: read } = zlib as { zstdDecompressSync?: (frame: Uint8Array) => Buffer };
    if (read === undefined) return skip(`Node ${process.versions.node} has no zstd`);
    for (const data of [repeating, ...samples])
      expect(Buffer.compare(read(compressZstd(data)), data)).toBe(0);
    expect(compressZstd(repeating).length).toBeLessThan(repeating.length / 100);
  });
});
