import type { MessageName } from './store.ts';

/** Bytes of a sha256. */
const DIGEST_BYTES = 32;
const HEIGHT_BYTES = 8;

/**
 * A landed message as a key: the height of its blockhash u64 big-endian, so that the oldest sort first, and
 * its digest.
 */
export function encodeMessageKey({ blockhashHeight, digest }: MessageName): Buffer {
  const bytes = Buffer.allocUnsafe(HEIGHT_BYTES + DIGEST_BYTES);
  bytes.writeBigUInt64BE(BigInt(blockhashHeight), 0);
  bytes.set(digest, HEIGHT_BYTES);
  return bytes;
}

/** The message that a key of {@link encodeMessageKey} is of. */
export function decodeMessageKey(key: Buffer): MessageName {
  return { blockhashHeight: Number(key.readBigUInt64BE(0)), digest: key.subarray(HEIGHT_BYTES) };
}

/** The key before all of messages whose blockhashes have this height or a greater one. */
export function messageKeyAt(height: number): Buffer {
  const bytes = Buffer.allocUnsafe(HEIGHT_BYTES);
  bytes.writeBigUInt64BE(BigInt(Math.max(0, height)), 0);
  return bytes;
}
