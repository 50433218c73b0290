import { viewOf } from '../solana/view-of.ts';

/**
 * A buffer of the upgradeable loader (`UpgradeableLoaderState::Buffer`): tag u32 1, Option of its authority
 * (u8, 32), then the uploaded bytes.
 */
const BUFFER_TAG = 1;
const AUTHORITY_AT = 5;

/** Offset of the uploaded bytes (Agave `UpgradeableLoaderState::size_of_buffer_metadata`). */
export const UPLOAD_AT = AUTHORITY_AT + 32;

/**
 * The instruction that writes to a buffer (`UpgradeableLoaderInstruction::Write`): tag u32 1, offset u32,
 * length u64, bytes.
 */
const WRITE_TAG = 1;
const OFFSET_AT = 4;
const LENGTH_AT = 8;
const BYTES_AT = 16;

/** A write to a buffer. */
interface BufferWrite {
  /** Offset from the first uploaded byte. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/**
 * The 32 bytes of a buffer's authority. Null if the account is not a buffer, or has no authority.
 *
 * @param head the first {@link UPLOAD_AT} bytes of its data.
 */
export function readBufferAuthority(head: Uint8Array): Uint8Array | null {
  if (head.length < UPLOAD_AT || viewOf(head).getUint32(0, true) !== BUFFER_TAG || head[4] !== 1) return null;
  return head.subarray(AUTHORITY_AT, UPLOAD_AT);
}

/** Decodes the data of a write; null unless it is exactly that. */
export function readBufferWrite(data: Uint8Array): BufferWrite | null {
  if (data.length < BYTES_AT) return null;
  const view = viewOf(data);
  if (view.getUint32(0, true) !== WRITE_TAG) return null;
  if (view.getBigUint64(LENGTH_AT, true) !== BigInt(data.length - BYTES_AT)) return null;
  return { offset: view.getUint32(OFFSET_AT, true), bytes: data.subarray(BYTES_AT) };
}
