/** The start of a zstd frame (RFC 8878, 3.1.1): magic number, no optional header fields, a window of 2 MiB. */
const FRAME_HEADER = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58);

const BLOCK_HEADER_BYTES = 3;

/** Most bytes of a block (RFC 8878, 3.1.1.2.4). */
const BLOCK_BYTES_MAX = 128 * 1024;

/**
 * `data` as a zstd frame of raw blocks: legal for every decoder, and for small data the very bytes Agave sends. Node 20
 * has no zstd; nothing is made smaller here.
 */
export function zstdFrame(data: Uint8Array): Buffer {
  const blockCount = Math.max(1, Math.ceil(data.length / BLOCK_BYTES_MAX));
  const frame = Buffer.allocUnsafe(FRAME_HEADER.length + blockCount * BLOCK_HEADER_BYTES + data.length);
  frame.set(FRAME_HEADER);
  let at = FRAME_HEADER.length;
  for (let block = 0; block < blockCount; block++) {
    const part = data.subarray(block * BLOCK_BYTES_MAX, (block + 1) * BLOCK_BYTES_MAX);
    const isLast = block === blockCount - 1 ? 1 : 0;
    // Bit 0: last block; bits 1-2: type 0, raw; from bit 3: the size.
    at = frame.writeUIntLE((part.length << 3) | isLast, at, BLOCK_HEADER_BYTES);
    frame.set(part, at);
    at += part.length;
  }
  return frame;
}
