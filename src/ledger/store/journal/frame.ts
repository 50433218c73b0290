import { crc32 } from 'node:zlib';

/**
 * A frame: a header of payload length u32, sequence u64, CRC-32 of the payload, and CRC-32 of the header
 * before it, seeded with the segment's salt; then the payload: entries, each after its length u32. All
 * little-endian.
 */
const SEQUENCE_AT = 4;
const PAYLOAD_SUM_AT = 12;
const HEADER_SUM_AT = 16;
const PAYLOAD_AT = 20;
const ENTRY_LENGTH_BYTES = 4;
const U32_MAX = 0xffff_ffff;

/** Entries that were written together: either all of them exist or none. */
interface Frame {
  /** The number of the first entry. The entries of a journal are numbered from 1 without a gap. */
  readonly sequence: number;
  readonly entries: readonly Buffer[];
}

/** A frame that was read, and where it ends. */
interface FoundFrame extends Frame {
  readonly end: number;
}

/**
 * Serialises a frame.
 *
 * @throws {RangeError} for 4 GiB and more.
 */
export function encodeFrame({ sequence, entries }: Frame, salt: number): Buffer {
  const length = entries.reduce((sum, entry) => sum + ENTRY_LENGTH_BYTES + entry.length, 0);
  if (length > U32_MAX) throw new RangeError(`${length} bytes do not fit into one frame`);
  const bytes = Buffer.allocUnsafe(PAYLOAD_AT + length);
  bytes.writeUInt32LE(length, 0);
  bytes.writeBigUInt64LE(BigInt(sequence), SEQUENCE_AT);
  let at = PAYLOAD_AT;
  for (const entry of entries) {
    at = bytes.writeUInt32LE(entry.length, at);
    at += entry.copy(bytes, at);
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(PAYLOAD_AT)), PAYLOAD_SUM_AT);
  bytes.writeUInt32LE(sumHeader(bytes, 0, salt), HEADER_SUM_AT);
  return bytes;
}

/** The complete, valid frame at `at`; null if there is none. Its entries point into `bytes`. */
export function readFrame(bytes: Buffer, at: number, salt: number): FoundFrame | null {
  if (!hasHeader(bytes, at, salt)) return null;
  const start = at + PAYLOAD_AT;
  const end = start + bytes.readUInt32LE(at);
  // The header reached the disk, the payload only in part.
  if (end > bytes.length) return null;
  const payload = bytes.subarray(start, end);
  if (bytes.readUInt32LE(at + PAYLOAD_SUM_AT) !== crc32(payload)) return null;
  return { sequence: readSequence(bytes, at), entries: splitEntries(payload), end };
}

/**
 * The offset of the first valid frame at or after `from` whose sequence is above `sequence`; null if there is
 * none. Every offset is tried.
 */
export function findFrame(bytes: Buffer, from: number, salt: number, sequence: number): number | null {
  // There cannot be more entries than bytes. Tested first, because it is cheaper than a checksum.
  const sequenceMax = sequence + bytes.length;
  for (let at = from; at + PAYLOAD_AT <= bytes.length; at++) {
    const candidate = readSequence(bytes, at);
    if (candidate <= sequence || candidate > sequenceMax) continue;
    if (readFrame(bytes, at, salt) !== null) return at;
  }
  return null;
}

function hasHeader(bytes: Buffer, at: number, salt: number): boolean {
  return (
    at + PAYLOAD_AT <= bytes.length && bytes.readUInt32LE(at + HEADER_SUM_AT) === sumHeader(bytes, at, salt)
  );
}

function sumHeader(bytes: Buffer, at: number, salt: number): number {
  return crc32(bytes.subarray(at, at + HEADER_SUM_AT), salt);
}

function readSequence(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + SEQUENCE_AT + 4) * 2 ** 32 + bytes.readUInt32LE(at + SEQUENCE_AT);
}

function splitEntries(payload: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; at < payload.length;) {
    const start = at + ENTRY_LENGTH_BYTES;
    at = start + payload.readUInt32LE(at);
    entries.push(payload.subarray(start, at));
  }
  return entries;
}
