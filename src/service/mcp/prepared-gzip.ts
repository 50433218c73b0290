import { constants, crc32, deflateRawSync } from 'node:zlib';

/** Magic, deflate, no flags, no time, no extra flags, unknown system (RFC 1952 section 2.3). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/**
 * The header bits of a last stored block (RFC 1951 section 3.2.4). Its contents start at the next byte
 * boundary.
 */
const LAST_STORED_BLOCK = 1;

/**
 * A text compressed once and sent with a different ending each time: a gzip file of the deflated start and a
 * stored ending. Sending compresses nothing.
 */
export class PreparedGzip {
  readonly #startLength: number;
  readonly #startSum: number;
  readonly #deflated: Buffer;

  constructor(start: Buffer) {
    this.#startLength = start.length;
    this.#startSum = crc32(start);
    // Flushes to a byte boundary without marking a last block.
    const options = { level: constants.Z_BEST_COMPRESSION, finishFlush: constants.Z_SYNC_FLUSH };
    this.#deflated = Buffer.concat([HEADER, deflateRawSync(start, options)]);
  }

  /** The gzip file of the text followed by `ending`, which has up to 65,535 bytes. */
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
