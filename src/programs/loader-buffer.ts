import { viewOf } from '../solana/view-of.ts';

/**
 * A buffer of the upgradeable loader (`UpgradeableLoaderState::Buffer`): tag u32 1, Option of its authority
 * (u8, 32), then the bytes that are uploaded.
 */
const BUFFER_TAG = 1;
const AUTHORITY_AT = 5;

/** Where the uploaded bytes begin (Agave `UpgradeableLoaderState::size_of_buffer_metadata`). */
export const UPLOAD_AT = AUTHORITY_AT + 32;

/**
 * An instruction that writes one (`UpgradeableLoaderInstruction::Write`): tag u32 1, offset u32, length u64,
 * bytes.
 */
const WRITE_TAG = 1;
const OFFSET_AT = 4;
const LENGTH_AT = 8;
const BYTES_AT = 16;

/** What is to be written. */
interface BufferWrite {
  /** From the first uploaded byte on. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/**
 * The 32 bytes of who may write a buffer; null when the account is none, or nobody may.
 *
 * @param head the first {@link UPLOAD_AT} bytes of its data.
 */
export function readBufferAuthority(head: Uint8Array): Uint8Array | null {
  if (head.length < UPLOAD_AT || viewOf(head).getUint32(0, true) !== BUFFER_TAG || head[4] !== 1) return null;
  return head.subarray(AUTHORITY_AT, UPLOAD_AT);
}

/** What the data of an instruction asks to write; null when they are not exactly that of one. */
export function readBufferWrite(data: Uint8Array): BufferWrite | null {
  if (data.length < BYTES_AT) return null;
  const view = viewOf(data);
  if (view.getUint32(0, true) !== WRITE_TAG) return null;
  if (view.getBigUint64(LENGTH_AT, true) !== BigInt(data.length - BYTES_AT)) return null;
  return { offset: view.getUint32(OFFSET_AT, true), bytes: data.subarray(BYTES_AT) };
}
