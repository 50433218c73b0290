import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PreparedGzip } from './prepared-gzip.ts';

describe('PreparedGzip', () => {
  it.each([1, 40, 65_535])('unpacks to the text and an ending of %i bytes', (length) => {
    const start = Buffer.from('{"tools":['.repeat(5_000));
    const prepared = new PreparedGzip(start);
    for (const ending of [randomBytes(length), Buffer.alloc(length, 'x')]) {
      expect(gunzipSync(prepared.endWith(ending)).equals(Buffer.concat([start, ending]))).toBe(true);
    }
    expect(prepared.endWith(Buffer.from('}')).length).toBeLessThan(1_000);
  });
});
