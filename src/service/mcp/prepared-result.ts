import { qualityOf } from '../header-quality.ts';
import type { Reply } from '../reply.ts';
import { writeId, type MessageId } from './json-rpc.ts';
import { PreparedBrotli } from './prepared-brotli.ts';
import { PreparedGzip } from './prepared-gzip.ts';

const VARY = ['vary', 'Accept-Encoding'] as const;

/** The beginning of an answer, compressed; the end is put behind it each time. */
interface Packed {
  endWith(ending: Buffer): Buffer;
}

/** What answers can be compressed with: the coding that makes them shortest first. */
const CODINGS = ['br', 'gzip'] as const;

type Coding = (typeof CODINGS)[number];

const PACK: Readonly<Record<Coding, (start: Buffer) => Packed>> = {
  br: (start) => new PreparedBrotli(start),
  gzip: (start) => new PreparedGzip(start),
};

/**
 * A long result that never changes: written once, compressed once when that is first asked for, and sent to
 * everybody as the same bytes.
 */
export class PreparedResult {
  /** The beginning of a success response that ends with the id. */
  readonly #start: Buffer;
  /** The end of a success response: the JSON text of the result and the brace that closes the response. */
  readonly #rest: Buffer;
  readonly #packed = new Map<Coding, Packed>();

  constructor(result: object) {
    const text = JSON.stringify(result);
    this.#start = Buffer.from(`{"result":${text}`);
    this.#rest = Buffer.from(`${text}}`);
  }

  /** The success response that carries it, compressed where `acceptEncoding` says that it is wanted. */
  answer(id: MessageId, acceptEncoding?: string): Reply {
    const frame = { status: 200, contentType: 'application/json' };
    const coding = wantedCoding(acceptEncoding);
    if (coding === null) {
      const body = `{"jsonrpc":"2.0","id":${writeId(id)},"result":`;
      return { ...frame, body, rest: this.#rest, headers: VARY };
    }
    const ending = Buffer.from(`,"jsonrpc":"2.0","id":${writeId(id)}}`);
    if (ending.length > ENDING_BYTES_MAX) return this.answer(id);
    const headers = ['content-encoding', coding, ...VARY];
    return { ...frame, rest: this.#pack(coding).endWith(ending), headers };
  }

  #pack(coding: Coding): Packed {
    let packed = this.#packed.get(coding);
    if (packed === undefined) this.#packed.set(coding, (packed = PACK[coding](this.#start)));
    return packed;
  }
}

/**
 * A block of deflate that stands as it is has no more (RFC 1951 section 3.2.4), and one of Brotli one more.
 */
const ENDING_BYTES_MAX = 0xffff;

/**
 * The coding that is wanted most, of those wanted alike the one that makes the answer shortest; null where
 * the plain text is wanted more, or nothing else (RFC 9110 section 12.5.3).
 */
function wantedCoding(acceptEncoding: string | undefined): Coding | null {
  const others = qualityOf(acceptEncoding, '*') ?? 0;
  let wanted: Coding | null = null;
  let most = qualityOf(acceptEncoding, 'identity') ?? 0;
  for (const coding of CODINGS) {
    const quality = qualityOf(acceptEncoding, coding) ?? others;
    if (quality === 0 || quality < most || (wanted !== null && quality === most)) continue;
    wanted = coding;
    most = quality;
  }
  return wanted;
}
