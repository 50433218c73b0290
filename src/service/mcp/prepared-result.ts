import { qualityOf } from '../header-quality.ts';
import { lazily } from '../lazily.ts';
import type { Reply } from '../reply.ts';
import { writeId, type MessageId } from './json-rpc.ts';
import { PreparedBrotli } from './prepared-brotli.ts';
import { PreparedGzip } from './prepared-gzip.ts';

const VARY = ['vary', 'Accept-Encoding'] as const;

/** The compressed start of an answer; the end is appended each time. */
interface Packed {
  endWith(ending: Buffer): Buffer;
}

/** The codings of answers, the one with the best ratio first. */
const CODINGS = ['br', 'gzip'] as const;

type Coding = (typeof CODINGS)[number];

const PACK: Readonly<Record<Coding, (start: Buffer) => Packed>> = {
  br: (start) => new PreparedBrotli(start),
  gzip: (start) => new PreparedGzip(start),
};

/**
 * A long constant result: written and compressed once, on first use, and sent to every client as the same
 * bytes.
 */
export class PreparedResult {
  readonly #text: () => string;
  /** The rest of a success response: the JSON text of the result and the closing brace. */
  readonly #rest: () => Buffer;
  readonly #packed = new Map<Coding, Packed>();

  constructor(result: object) {
    this.#text = lazily(() => JSON.stringify(result));
    this.#rest = lazily(() => Buffer.from(`${this.#text()}}`));
  }

  /** The success response with this result, compressed if `acceptEncoding` asks for it. */
  answer(id: MessageId, acceptEncoding?: string): Reply {
    const frame = { status: 200, contentType: 'application/json' };
    const coding = wantedCoding(acceptEncoding);
    if (coding === null) {
      const body = `{"jsonrpc":"2.0","id":${writeId(id)},"result":`;
      return { ...frame, body, rest: this.#rest(), headers: VARY };
    }
    const ending = Buffer.from(`,"jsonrpc":"2.0","id":${writeId(id)}}`);
    if (ending.length > ENDING_BYTES_MAX) return this.answer(id);
    const headers = ['content-encoding', coding, ...VARY];
    return { ...frame, rest: this.#pack(coding).endWith(ending), headers };
  }

  #pack(coding: Coding): Packed {
    let packed = this.#packed.get(coding);
    if (packed === undefined) {
      // The start of a success response whose last member is the id.
      packed = PACK[coding](Buffer.from(`{"result":${this.#text()}`));
      this.#packed.set(coding, packed);
    }
    return packed;
  }
}

/**
 * A stored block of deflate holds at most so many bytes (RFC 1951 section 3.2.4); one of Brotli holds one
 * more.
 */
const ENDING_BYTES_MAX = 0xffff;

/**
 * The coding the client prefers; at equal preference the one with the shorter answer. Null if plain text is
 * preferred or the only choice (RFC 9110 section 12.5.3).
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
