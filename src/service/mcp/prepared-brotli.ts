import { brotliCompressSync, constants } from 'node:zlib';

/**
 * The bit of a meta-block that says that its bytes stand as they are (RFC 7932 section 9.2, ISUNCOMPRESSED).
 */
const UNCOMPRESSED = 1 << 19;

/** The bits of a last meta-block with nothing in it (RFC 7932 section 9.2, ISLAST and ISLASTEMPTY). */
const LAST_AND_EMPTY = Buffer.from([0b11]);

/**
 * A text that was compressed once and is sent with another ending each time: one Brotli stream of the long
 * part as it was compressed, and of the ending as it is. Nothing is compressed when it is sent.
 */
export class PreparedBrotli {
  readonly #compressed: Buffer;

  constructor(start: Buffer) {
    // Ends at the end of a byte, with no meta-block marked as the last one.
    this.#compressed = brotliCompressSync(start, {
      params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    });
  }

  /** The Brotli stream of the text with `ending`, of 1 to 65,536 bytes, behind it. */
  endWith(ending: Buffer): Buffer {
    const head = Buffer.alloc(3);
    // Not the last meta-block (1 bit), a length of four nibbles (2 bits), the length less one (16 bits).
    head.writeUIntLE(UNCOMPRESSED | ((ending.length - 1) << 3), 0, 3);
    return Buffer.concat([this.#compressed, head, ending, LAST_AND_EMPTY]);
  }
}
