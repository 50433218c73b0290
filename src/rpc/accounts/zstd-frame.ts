import * as zlib from 'node:zlib';

/** Below this size there is little to save, bytes. Starting a compression was measured at 30 us. */
const COMPRESSED_BYTES_MIN = 1024;

/**
 * Above this size compression would block the event loop for too long, bytes. Program code was measured at 15
 * ms per MiB.
 */
const COMPRESSED_BYTES_MAX = 1_024 * 1_024;

/** Node's own compression at zstd's default level, like Agave's. Available since Node 22.15 and 23.8. */
const { zstdCompressSync } = zlib as { readonly zstdCompressSync?: (data: Uint8Array) => Buffer };

/**
 * Encodes `data` as a zstd frame. The frame is compressed if Node supports that and the size is within the
 * limits above; otherwise it contains the data as it is.
 */
export function compressZstd(data: Uint8Array): Buffer {
  const { length } = data;
  const isWorth = length >= COMPRESSED_BYTES_MIN && length <= COMPRESSED_BYTES_MAX;
  return zstdCompressSync !== undefined && isWorth ? zstdCompressSync(data) : zstdFrame(data);
}

/** Start of a frame (RFC 8878, 3.1.1): magic number, no optional header fields, a window of 2 MiB. */
const FRAME_HEADER = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58);

/** Largest block, bytes (RFC 8878, 3.1.1.2.4). */
const BLOCK_BYTES_MAX = 128 * 1024;

/** A frame of uncompressed blocks. For short data it is byte for byte what Agave sends. */
export function zstdFrame(data: Uint8Array): Buffer {
  const parts: Uint8Array[] = [FRAME_HEADER];
  let at = 0;
  do {
    const block = data.subarray(at, at + BLOCK_BYTES_MAX);
    at += block.length;
    const header = Buffer.alloc(3);
    // Bit 0: last block; bits 1-2: type 0, uncompressed; from bit 3: size.
    header.writeUIntLE((block.length << 3) | (at === data.length ? 1 : 0), 0, 3);
    parts.push(header, block);
  } while (at < data.length);
  return Buffer.concat(parts);
}
