/**
 * The start of a zstd frame (RFC 8878, 3.1.1): magic number, no optional header fields, a window of 2 MiB.
 */
const FRAME_HEADER = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58);

const BLOCK_HEADER_BYTES = 3;

/** Most bytes of a block (RFC 8878, 3.1.1.2.4). */
const BLOCK_BYTES_MAX = 128 * 1024;

/** Types of blocks (RFC 8878, 3.1.1.2.2): the bytes themselves, or one byte that is repeated. */
const RAW = 0;
const REPEATED = 1;

/** Shortest run of one byte that is worth blocks of its own: two heads and the byte are 7 bytes. */
const RUN_BYTES_MIN = 16;

/** Bytes of the data from `from` to `to`, in one block. */
interface Part {
  readonly type: typeof RAW | typeof REPEATED;
  readonly from: number;
  readonly to: number;
}

/**
 * `data` as a zstd frame, which every decoder takes. Runs of one byte, of which accounts are full, take four
 * bytes each; the rest is left as it is, for small data by the very bytes Agave sends. Node 20 has no zstd of
 * its own.
 */
export function zstdFrame(data: Uint8Array): Buffer {
  const parts = split(data);
  const contentBytes = parts.reduce((sum, part) => sum + contentBytesOf(part), 0);
  const frame = Buffer.allocUnsafe(FRAME_HEADER.length + parts.length * BLOCK_HEADER_BYTES + contentBytes);
  frame.set(FRAME_HEADER);
  let at = FRAME_HEADER.length;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1 ? 1 : 0;
    // Bit 0: last block; bits 1-2: the type; from bit 3: the size of what it stands for.
    at = frame.writeUIntLE(((part.to - part.from) << 3) | (part.type << 1) | isLast, at, BLOCK_HEADER_BYTES);
    frame.set(data.subarray(part.from, part.from + contentBytesOf(part)), at);
    at += contentBytesOf(part);
  }
  return frame;
}

const contentBytesOf = ({ type, from, to }: Part): number => (type === REPEATED ? 1 : to - from);

/** The data in blocks; one empty block where there are none. */
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

/** Where the run of one byte ends that begins at `from`. */
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
