import * as zlib from 'node:zlib';
import { zstdFrame } from './zstd-frame.ts';

/** Compresses bytes into a zstd frame. */
type Compress = (data: Uint8Array) => Buffer;

/** Below this size there is little to save, bytes. Starting a compression was measured at 30 us. */
const COMPRESSED_BYTES_MIN = 1024;

/**
 * Above this size compression would block the event loop for too long, bytes. Program code was measured at 15
 * ms per MiB.
 */
const COMPRESSED_BYTES_MAX = 1_024 * 1_024;

/** Node's own, at zstd's default level like Agave's. Available since Node 22.15 and 23.8. */
const ofNode = (zlib as { readonly zstdCompressSync?: Compress }).zstdCompressSync ?? null;

/**
 * `data` as a zstd frame: compressed if Node supports it, otherwise with run-length blocks. Any decoder reads
 * both. Very small and very large data only gets run-length blocks.
 *
 * @param compress null for none; defaults to Node's own.
 */
export function compressZstd(data: Uint8Array, compress: Compress | null = ofNode): Buffer {
  const { length } = data;
  const isWorth = length >= COMPRESSED_BYTES_MIN && length <= COMPRESSED_BYTES_MAX;
  return compress !== null && isWorth ? compress(data) : zstdFrame(data);
}
