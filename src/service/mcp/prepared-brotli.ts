import { brotliCompressSync, constants } from 'node:zlib';

/** The bit that marks a meta-block as uncompressed (RFC 7932 section 9.2, ISUNCOMPRESSED). */
const UNCOMPRESSED = 1 << 19;

/** An empty last meta-block (RFC 7932 section 9.2, ISLAST and ISLASTEMPTY). */
const LAST_AND_EMPTY = Buffer.from([0b11]);

/**
 * A text compressed once and sent with a different ending each time: a Brotli stream of the compressed start
 * and an uncompressed ending. Sending compresses nothing.
 */
export class PreparedBrotli {
  readonly #compressed: Buffer;

  constructor(start: Buffer) {
    // Flushes to a byte boundary without marking a last meta-block.
    this.#compressed = brotliCompressSync(start, {
      params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    });
  }

  /** The Brotli stream of the text followed by `ending`, which has 1 to 65,536 bytes. */
  endWith(ending: Buffer): Buffer {
    const head = Buffer.alloc(3);
    // Not the last meta-block (1 bit), length in four nibbles (2 bits), length minus one (16 bits).
    head.writeUIntLE(UNCOMPRESSED | ((ending.length - 1) << 3), 0, 3);
    return Buffer.concat([this.#compressed, head, ending, LAST_AND_EMPTY]);
  }
}
