import { Upstream, type UpstreamPorts } from '../chain/upstream/upstream.ts';
import { isServiceError } from '../errors/service-error.ts';
import { HTTP_LIMITS } from '../http/limits.ts';
import type { MethodCall } from '../rpc/dispatcher.ts';
import { ClientGone, Scans, type ScanClient } from '../rpc/scan/scans.ts';
import { LONG_VALUE } from './answer-outline.ts';
import { FORWARDED_METHODS, isRepeatable } from './forwarded-methods.ts';
import { readAnswer, WHO, type Forwarded } from './upstream-answer.ts';
import { UrlKeys } from './url-keys.ts';

/**
 * Largest answer that is passed on, bytes. The largest of the methods that are forwarded by default have the
 * data of accounts in them.
 */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;

/** The system's codes that say that there was no connection, so that nothing can have arrived. */
const NEVER_CONNECTED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Passes calls on to the first of several URLs that answers. */
export class Forwarder {
  readonly #upstream: Upstream;
  readonly #urlCount: number;
  readonly #keys: UrlKeys;
  /** Long answers are read a few at a time; how many wait for that is bounded by the calls in flight. */
  readonly #reading = new Scans({ waitingMax: HTTP_LIMITS.inFlightMax });

  constructor(urls: readonly URL[], ports: UpstreamPorts) {
    this.#upstream = new Upstream(WHO, urls, ports);
    this.#urlCount = urls.length;
    this.#keys = new UrlKeys(urls);
  }

  /**
   * Passes a call on by its own text and answers with the answer's own. A method that may change something is
   * handed to a second URL only when the first was surely not reached.
   *
   * @throws {ServiceError} UPSTREAM_UNAVAILABLE, UPSTREAM_TIMEOUT, UPSTREAM_RATE_LIMITED, UPSTREAM_INVALID,
   *   UPSTREAM_REJECTED.
   */
  async forward(
    call: Pick<MethodCall, 'method' | 'id'>,
    text: string,
    client: ScanClient,
  ): Promise<Forwarded> {
    const isSafe = isRepeatable(call.method);
    for (let urlsLeft = this.#urlCount; ; urlsLeft--) {
      try {
        return await this.#ask(call, text, client);
      } catch (error) {
        // One that was not reached rests for a while, so that the next attempt is for another.
        if (isSafe || urlsLeft === 1 || !wasNeverConnected(error)) throw error;
      }
    }
  }

  async #ask(
    { method, id }: Pick<MethodCall, 'method' | 'id'>,
    body: string,
    client: ScanClient,
  ): Promise<Forwarded> {
    // A URL that is asked as well, as the first one is late, shares the place; it may answer after all is
    // over.
    let place: Promise<() => void> | undefined;
    let isOver = false;
    try {
      return await this.#upstream.ask({
        // Into the log goes no word of a caller's own.
        what: FORWARDED_METHODS.includes(method) ? method : 'another method',
        isRepeatable: isRepeatable(method),
        answerBytesMax: ANSWER_BYTES_MAX,
        longAnswer: {
          beyond: LONG_VALUE,
          enter: async () => {
            if (isOver) throw new ClientGone();
            await (place ??= this.#reading.enter(client));
          },
        },
        // One that waits for its place here has begun to answer.
        mayHedge: () => place === undefined,
        address: (url) => ({ method: 'POST', url, body }),
        read: (answer) => this.#reading.inTurns(readAnswer(answer, id, this.#keys), ANSWER_BYTES_MAX, client),
      });
    } finally {
      isOver = true;
      place?.then(
        (leave) => leave(),
        () => undefined,
      );
    }
  }
}

/** Whether a call that failed did so before anybody took it up: it reached nobody, or was turned away. */
export function wasSurelyNotTaken(error: unknown): boolean {
  return (
    wasNeverConnected(error) ||
    isServiceError(error, 'UPSTREAM_RATE_LIMITED') ||
    isServiceError(error, 'UPSTREAM_REJECTED')
  );
}

function wasNeverConnected(error: unknown): boolean {
  return isServiceError(error, 'UPSTREAM_UNAVAILABLE') && NEVER_CONNECTED.has(error.context['reason']);
}
