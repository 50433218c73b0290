import { constants, crc32, deflateRawSync } from 'node:zlib';

/** Magic, deflate, no flags, no time, no extra flags, unknown system (RFC 1952 section 2.3). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/**
 * The bits of a last block whose bytes stand as they are (RFC 1951 section 3.2.4); bytes after them begin
 * anew.
 */
const LAST_STORED_BLOCK = 1;

/**
 * A text that was compressed once and is sent with another ending each time: one gzip file of the long part
 * as it was deflated, and of the ending as it is. Nothing is compressed when it is sent.
 */
export class PreparedGzip {
  readonly #startLength: number;
  readonly #startSum: number;
  readonly #deflated: Buffer;

  constructor(start: Buffer) {
    this.#startLength = start.length;
    this.#startSum = crc32(start);
    // Ends at the end of a byte, with no block marked as the last one.
    const options = { level: constants.Z_BEST_COMPRESSION, finishFlush: constants.Z_SYNC_FLUSH };
    this.#deflated = Buffer.concat([HEADER, deflateRawSync(start, options)]);
  }

  /** The gzip file of the text with `ending`, of up to 65,535 bytes, behind it. */
  endWith(ending: Buffer): Buffer {
    const { length } = ending;
    const block = Buffer.alloc(5);
    block.writeUInt8(LAST_STORED_BLOCK, 0);
    block.writeUInt16LE(length, 1);
    block.writeUInt16LE(~length & 0xffff, 3);
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(ending, this.#startSum), 0);
    trailer.writeUInt32LE(this.#startLength + length, 4);
    return Buffer.concat([this.#deflated, block, ending, trailer]);
  }
}
