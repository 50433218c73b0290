/**
 * The start of a zstd frame (RFC 8878, 3.1.1): magic number, no optional header fields, a window of 2 MiB.
 */
const FRAME_HEADER = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58);

const BLOCK_HEADER_BYTES = 3;

/** Largest block, bytes (RFC 8878, 3.1.1.2.4). */
const BLOCK_BYTES_MAX = 128 * 1024;

/** Block types (RFC 8878, 3.1.1.2.2): raw bytes, or one repeated byte. */
const RAW = 0;
const REPEATED = 1;

/** Shortest run worth its own blocks, bytes: two headers and the byte take 7. */
const RUN_BYTES_MIN = 16;

/** The range of the data that one block represents. */
interface Part {
  readonly type: typeof RAW | typeof REPEATED;
  readonly from: number;
  readonly to: number;
}

/**
 * `data` as a zstd frame that every decoder reads. Runs of one byte, which accounts are full of, take four
 * bytes each; the rest stays uncompressed. For small data that is byte for byte what Agave sends. Node 20 has
 * no zstd of its own.
 */
export function zstdFrame(data: Uint8Array): Buffer {
  const parts = split(data);
  const contentBytes = parts.reduce((sum, part) => sum + contentBytesOf(part), 0);
  const frame = Buffer.allocUnsafe(FRAME_HEADER.length + parts.length * BLOCK_HEADER_BYTES + contentBytes);
  frame.set(FRAME_HEADER);
  let at = FRAME_HEADER.length;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1 ? 1 : 0;
    // Bit 0: last block; bits 1-2: type; from bit 3: decompressed size.
    at = frame.writeUIntLE(((part.to - part.from) << 3) | (part.type << 1) | isLast, at, BLOCK_HEADER_BYTES);
    frame.set(data.subarray(part.from, part.from + contentBytesOf(part)), at);
    at += contentBytesOf(part);
  }
  return frame;
}

const contentBytesOf = ({ type, from, to }: Part): number => (type === REPEATED ? 1 : to - from);

/** Splits the data into blocks; empty data becomes one empty block. */
function split(data: Uint8Array): Part[] {
  const parts: Part[] = [];
  let rawFrom = 0;
  for (let from = 0; from < data.length;) {
    const to = runEnd(data, from);
    if (to - from >= RUN_BYTES_MIN) {
      addBlocks(parts, RAW, rawFrom, from);
      addBlocks(parts, REPEATED, from, to);
      rawFrom = to;
    }
    from = to;
  }
  addBlocks(parts, RAW, rawFrom, data.length);
  return parts.length === 0 ? [{ type: RAW, from: 0, to: 0 }] : parts;
}

/** The end of the run of equal bytes that starts at `from`. */
function runEnd(data: Uint8Array, from: number): number {
  let to = from + 1;
  while (to < data.length && data[to] === data[from]) to++;
  return to;
}

function addBlocks(parts: Part[], type: Part['type'], from: number, to: number): void {
  for (let at = from; at < to; at += BLOCK_BYTES_MAX) {
    parts.push({ type, from: at, to: Math.min(at + BLOCK_BYTES_MAX, to) });
  }
}
