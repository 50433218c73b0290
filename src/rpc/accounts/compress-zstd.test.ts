import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { readZstd } from '../testing/read-zstd.ts';
import { compressZstd } from './account-encoding.ts';

const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: (frame: Uint8Array) => Buffer };

const random = new SeededRandom('compress');
/** Text that repeats itself, in no runs of one byte. */
const repeating = Buffer.from('the same words again, '.repeat(2_000));
const samples = [0, 1, 200, 1_023, 1_024, 70_000, 300_000].map((length) => Buffer.from(random.bytes(length)));

describe('compressZstd()', () => {
  it('has Node compress all but little data, where it can', () => {
    const compressed: number[] = [];
    const compress = (data: Uint8Array): Buffer => {
      compressed.push(data.length);
      return Buffer.from('frame');
    };
    expect(compressZstd(Buffer.alloc(1_024), compress)).toEqual(Buffer.from('frame'));
    expect(compressZstd(Buffer.from('test data'), compress).toString('base64')).toBe(
      'KLUv/QBYSQAAdGVzdCBkYXRh',
    );
    expect(compressZstd(Buffer.alloc(1_023), compress)).toEqual(compressZstd(Buffer.alloc(1_023), null));
    expect(compressed).toEqual([1_024]);
  });

  it('keeps every byte, whatever this Node can do', () => {
    for (const data of [repeating, ...samples]) {
      expect(Buffer.compare(readZstd(compressZstd(data)), data)).toBe(0);
      expect(Buffer.compare(readZstd(compressZstd(data, null)), data)).toBe(0);
    }
  });

  it('makes frames that Node reads, both ways', ({ skip }) => {
    const read = zstdDecompressSync;
    if (read === undefined) return skip(`Node ${process.versions.node} has no zstd`);
    for (const data of [repeating, ...samples]) {
      expect(Buffer.compare(read(compressZstd(data)), data)).toBe(0);
      expect(Buffer.compare(read(compressZstd(data, null)), data)).toBe(0);
    }
    // All that Node 20 can leave out is runs of one byte.
    expect(compressZstd(repeating).length).toBeLessThan(repeating.length / 100);
  });
});
