import * as zlib from 'node:zlib';
import { zstdFrame } from './zstd-frame.ts';

/** Makes a zstd frame of bytes. */
type Compress = (data: Uint8Array) => Buffer;

/** Below so many bytes there is little to save, and to begin a compression was measured to take 30 us. */
const COMPRESSED_BYTES_MIN = 1024;

/**
 * Above so many bytes compressing would hold all others up: machine code was measured to take 15 ms a MiB,
 * and nothing else runs meanwhile.
 */
const COMPRESSED_BYTES_MAX = 1_024 * 1_024;

/** Node's own, at zstd's default level as Agave's; Node has it since 22.15 and 23.8. */
const ofNode = (zlib as { readonly zstdCompressSync?: Compress }).zstdCompressSync ?? null;

/**
 * `data` as a zstd frame, compressed where Node can do that, and otherwise with its runs of one byte made
 * short. Any decoder reads both. Little data, and a great deal of it, have their runs made short only.
 *
 * @param compress null where there is no such thing; that of this Node when left out.
 */
export function compressZstd(data: Uint8Array, compress: Compress | null = ofNode): Buffer {
  const { length } = data;
  const isWorth = length >= COMPRESSED_BYTES_MIN && length <= COMPRESSED_BYTES_MAX;
  return compress !== null && isWorth ? compress(data) : zstdFrame(data);
}
