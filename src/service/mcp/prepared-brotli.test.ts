import { randomBytes } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PreparedBrotli } from './prepared-brotli.ts';

describe('PreparedBrotli', () => {
  it.each([1, 40, 65_535, 65_536])('unpacks to the text and an ending of %i bytes', (length) => {
    const start = Buffer.from('{"tools":['.repeat(5_000));
    const prepared = new PreparedBrotli(start);
    for (const ending of [randomBytes(length), Buffer.alloc(length, 'x')]) {
      expect(brotliDecompressSync(prepared.endWith(ending)).equals(Buffer.concat([start, ending]))).toBe(
        true,
      );
    }
    expect(prepared.endWith(Buffer.from('}')).length).toBeLessThan(1_000);
  });
});
