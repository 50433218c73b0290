import * as zlib from 'node:zlib';

/** That of Node, where it has one. */
const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: (frame: Uint8Array) => Buffer };

/** Where the blocks of our frames begin: after the magic number and a header without optional fields. */
const HEADER = '28b52ffd0058';

/**
 * What a zstd frame stands for, read by Node where it has zstd, and otherwise one of raw and repeated blocks
 * (RFC 8878, 3.1.1.2).
 *
 * @throws {Error} for a frame of another kind, or with bytes behind it.
 */
export function readZstd(frame: Buffer): Buffer {
  if (zstdDecompressSync !== undefined) return zstdDecompressSync(frame);
  if (frame.subarray(0, 6).toString('hex') !== HEADER) throw new Error('another frame header');
  const parts: Buffer[] = [];
  let at = 6;
  for (let isLast = false; !isLast;) {
    const header = frame.readUIntLE(at, 3);
    const [type, size] = [(header >> 1) & 3, header >> 3];
    if (type > 1 || size > 131_072) throw new Error(`a block of type ${type} and ${size} bytes`);
    isLast = (header & 1) === 1;
    at += 3;
    parts.push(type === 1 ? Buffer.alloc(size, frame[at]) : frame.subarray(at, at + size));
    at += type === 1 ? 1 : size;
  }
  if (at !== frame.length) throw new Error(`${frame.length - at} bytes are left`);
  return Buffer.concat(parts);
}
