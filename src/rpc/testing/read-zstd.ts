import * as zlib from 'node:zlib';

/** Node's decoder, if available. */
const { zstdDecompressSync } = zlib as { readonly zstdDecompressSync?: (frame: Uint8Array) => Buffer };

/** The start of this project's frames: the magic number and a header without optional fields. */
const HEADER = '28b52ffd0058';

/**
 * Decodes a zstd frame. Without Node's decoder, supports only raw and repeated blocks (RFC 8878, 3.1.1.2).
 *
 * @throws {Error} for an unsupported frame or trailing bytes.
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
