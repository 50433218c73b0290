import { qualityOf } from '../header-quality.ts';
import type { Reply } from '../reply.ts';
import { writeId, type MessageId } from './json-rpc.ts';
import { PreparedGzip } from './prepared-gzip.ts';

const VARY = ['vary', 'Accept-Encoding'] as const;

/** A long result that never changes: written and compressed once, and sent to everybody as the same bytes. */
export class PreparedResult {
  /** The end of a success response: the JSON text of the result and the brace that closes the response. */
  readonly #rest: Buffer;
  readonly #packed: PreparedGzip;

  constructor(result: object) {
    const text = JSON.stringify(result);
    this.#rest = Buffer.from(`${text}}`);
    this.#packed = new PreparedGzip(Buffer.from(`{"result":${text}`));
  }

  /** The success response that carries it, as gzip where `acceptEncoding` says that it is wanted. */
  answer(id: MessageId, acceptEncoding?: string): Reply {
    const frame = { status: 200, contentType: 'application/json' };
    if (!wantsGzip(acceptEncoding)) {
      const body = `{"jsonrpc":"2.0","id":${writeId(id)},"result":`;
      return { ...frame, body, rest: this.#rest, headers: VARY };
    }
    const ending = Buffer.from(`,"jsonrpc":"2.0","id":${writeId(id)}}`);
    if (ending.length > ENDING_BYTES_MAX) return this.answer(id);
    const headers = ['content-encoding', 'gzip', ...VARY];
    return { ...frame, rest: this.#packed.endWith(ending), headers };
  }
}

/** A block of deflate that stands as it is has no more (RFC 1951 section 3.2.4). */
const ENDING_BYTES_MAX = 0xffff;

/** Gzip or whatever encoding there is, unless the plain text is wanted more. */
function wantsGzip(acceptEncoding: string | undefined): boolean {
  const wanted = qualityOf(acceptEncoding, 'gzip') ?? qualityOf(acceptEncoding, '*') ?? 0;
  return wanted > 0 && wanted >= (qualityOf(acceptEncoding, 'identity') ?? 0);
}
