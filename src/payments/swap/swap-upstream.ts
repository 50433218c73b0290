import { z } from 'zod';
import type { UpstreamAnswer } from '../../chain/upstream/transport.ts';
import { faultOfAnswer, faultOfStatus, UpstreamFault } from '../../chain/upstream/upstream-fault.ts';
import { Upstream, type UpstreamPorts } from '../../chain/upstream/upstream.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { hasRepeatedMember, parseExact } from '../../json/parse-json.ts';

/** Maximum size of an answer, in bytes. A larger quote would not fit into the request for its swap. */
const ANSWER_BYTES_MAX = 48 * 1024;

/** Jupiter's name of a refusal, such as COULD_NOT_FIND_ANY_ROUTE. Other texts are not shown. */
const refusal = z.object({ errorCode: z.string().regex(/^[A-Z_]{1,64}$/) });

/** The client of a Jupiter-compatible swap API. Its answers are JSON objects, not verified any further. */
export class SwapUpstream {
  readonly #upstream: Upstream;

  /** @param base the URL before `/quote` and `/swap`. It may contain keys and is never shown. */
  constructor(base: URL, ports: UpstreamPorts) {
    this.#upstream = new Upstream('the swap upstream', [base], ports);
  }

  /**
   * Requests a quote.
   *
   * @throws {ServiceError} UPSTREAM_*.
   */
  quote(query: Readonly<Record<string, string>>): Promise<object> {
    return this.#ask('quote', (base) => {
      const url = under(base, 'quote');
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return { method: 'GET', url, body: null };
    });
  }

  /**
   * Requests the transaction of a quote.
   *
   * @throws {ServiceError} UPSTREAM_*.
   */
  swap(body: object): Promise<object> {
    const text = JSON.stringify(body);
    return this.#ask('swap', (base) => ({ method: 'POST', url: under(base, 'swap'), body: text }));
  }

  #ask(what: string, address: (base: URL) => { method: 'GET' | 'POST'; url: URL; body: string | null }) {
    const { who } = this.#upstream;
    // Both requests only compute something, so they may be repeated.
    return this.#upstream.request({
      what,
      isRepeatable: true,
      answerBytesMax: ANSWER_BYTES_MAX,
      address,
      read: (answer) => readAnswer(who, answer),
    });
  }
}

function under(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/${path}`;
  return url;
}

function readAnswer(who: string, { status, retryAfter, body }: UpstreamAnswer): object {
  if (status === 200) {
    const value = parseObject(body);
    if (value === null) throw faultOfAnswer(who, 'with a body that is not a JSON object');
    return value;
  }
  if (status !== 400 && status !== 404 && status !== 422) throw faultOfStatus(who, status, retryAfter, false);
  const reason = refusal.safeParse(parseObject(body)).data?.errorCode;
  const words = reason === undefined ? '' : ` (${reason})`;
  const message = `The swap upstream rejected the request${words}: change the mints, the amount or the options, or request a new quote`;
  throw new UpstreamFault(
    new ServiceError('UPSTREAM_REJECTED', message, reason === undefined ? {} : { reason }),
    'never',
    0,
  );
}

function parseObject(body: string): object | null {
  try {
    const value = parseExact(body);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && !hasRepeatedMember(body) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Creates the error for an answer that does not do what was requested. `why` names the difference. */
export const invalidAnswer = (what: 'quote' | 'transaction', why: string): ServiceError =>
  new ServiceError(
    'UPSTREAM_INVALID',
    `The ${what} of the swap upstream was rejected: ${why}. Request a new quote, and report it to the operator if it happens again`,
    { reason: why },
  );
