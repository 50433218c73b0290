import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Timer } from '../../ports/timer.ts';
import { TransportFault, type Transport, type UpstreamAnswer, type UpstreamRequest } from './transport.ts';
import { faultOfTransport, UpstreamFault } from './upstream-fault.ts';
import { UrlHealth } from './url-health.ts';

/** How long one attempt may take. */
export const TIMEOUT_MS = 5_000;
/**
 * The same for a call that finds out whether a URL answers again, while there are others that do: it is to
 * lose little.
 */
export const PROBE_TIMEOUT_MS = 1_000;
/** Attempts after the first one. */
const RETRIES_MAX = 2;
/** Largest answer that is read unless a call says otherwise. */
export const ANSWER_BYTES_MAX = 1024 * 1024;

/** The pause before a URL is asked again: from half of this to all of it, twice as long the second time. */
const PAUSE_MS = 100;

/** What an upstream is reached with. */
export interface UpstreamPorts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly timer: Timer;
  readonly logger: Logger;
}

/** Something to ask of an upstream, wherever it is. */
export interface UpstreamCall<T> {
  /** Its name in log lines: an RPC method or a path. */
  readonly what: string;
  /** Whether asking twice does no harm. */
  readonly isRepeatable: boolean;
  readonly answerBytesMax: number;
  /** The position of a URL that is asked last among those in good health. */
  readonly notBy?: number | undefined;
  /** The request, addressed to the configured URL at a position. */
  readonly address: (base: URL, at: number) => Pick<UpstreamRequest, 'method' | 'url' | 'body'>;
  /**
   * What the answer of the URL at a position says.
   *
   * @throws {UpstreamFault}
   */
  readonly read: (answer: UpstreamAnswer, base: URL, at: number) => T;
}

/** The URL that is least behind, and when it will most likely have caught up. */
interface Lagging {
  readonly at: number;
  readonly catchUpMs: number;
}

/**
 * One service that may be reached at several URLs. They are tried in order; one that failed comes last until
 * a read that was sent there after a while is answered. What must not be repeated is never such a probe.
 *
 * What is repeatable is tried up to {@link RETRIES_MAX} times more, after a pause where the URL is the same.
 * When all of that failed and a URL was only a little behind, it is waited for.
 */
export class Upstream {
  /** What it is called in messages and logs ("the rollup of mainnet"). */
  readonly who: string;
  readonly #urls: readonly URL[];
  readonly #ports: UpstreamPorts;
  readonly #health: UrlHealth;

  constructor(who: string, urls: readonly URL[], ports: UpstreamPorts) {
    this.who = who;
    this.#urls = urls;
    this.#ports = ports;
    this.#health = new UrlHealth(urls.length, ports.clock);
  }

  /**
   * Asks, and answers what `call.read` made of the answer.
   *
   * @throws {ServiceError} that of the last attempt.
   */
  async ask<T>(call: UpstreamCall<T>): Promise<T> {
    const { order: queue, isProbe } = this.#health.route(call.isRepeatable, call.notBy);
    let lagging: Lagging | null = null;
    for (let attempt = 0; ; attempt++) {
      const at = queue.shift() as number;
      if (attempt >= this.#urls.length) await this.#pause(attempt);
      try {
        return await this.#attempt(call, at, isProbe && attempt === 0 ? PROBE_TIMEOUT_MS : TIMEOUT_MS);
      } catch (error) {
        const { retry, catchUpMs, error: told } = this.#note(call, at, error);
        if (retry === 'anywhere') queue.push(at);
        if (catchUpMs !== null && catchUpMs < (lagging?.catchUpMs ?? Infinity)) lagging = { at, catchUpMs };
        if (!call.isRepeatable || retry === 'never') throw told;
        if (queue.length > 0 && attempt < RETRIES_MAX) continue;
        if (lagging === null) throw told;
        return await this.#askLate(call, lagging);
      }
    }
  }

  /**
   * Waits for a URL that is behind. It is asked halfway, too: behind one URL there may be several nodes, of
   * which another answers.
   */
  async #askLate<T>(call: UpstreamCall<T>, { at, catchUpMs }: Lagging): Promise<T> {
    for (let isHalfway = true; ; isHalfway = false) {
      await this.#wait(catchUpMs / 2);
      try {
        return await this.#attempt(call, at, TIMEOUT_MS);
      } catch (error) {
        const fault = this.#note(call, at, error);
        if (!isHalfway || fault.catchUpMs === null) throw fault.error;
      }
    }
  }

  async #attempt<T>(call: UpstreamCall<T>, at: number, timeoutMs: number): Promise<T> {
    const base = this.#urls[at] as URL;
    const answer = await this.#send(call, base, at, timeoutMs);
    const value = call.read(answer, base, at);
    this.#health.recover(at);
    return value;
  }

  async #send(
    { address, answerBytesMax, isRepeatable }: UpstreamCall<unknown>,
    base: URL,
    at: number,
    timeoutMs: number,
  ): Promise<UpstreamAnswer> {
    try {
      return await this.#ports.transport.send({
        ...address(base, at),
        timeoutMs,
        answerBytesMax,
        mayReuseConnection: isRepeatable,
      });
    } catch (error) {
      if (error instanceof TransportFault) throw faultOfTransport(this.who, error);
      throw error;
    }
  }

  /** Takes an attempt's failure down; a bug is thrown on. */
  #note({ what }: UpstreamCall<unknown>, at: number, thrown: unknown): UpstreamFault {
    if (!(thrown instanceof UpstreamFault)) {
      this.#health.recover(at);
      throw thrown;
    }
    const { error, retry, restMs } = thrown;
    const { code, context } = error;
    const fields = { upstream: this.who, position: at + 1, what, code };
    if (restMs > 0) {
      this.#health.rest(at, restMs);
      this.#ports.logger.warn({ ...fields, reason: context['reason'], retry, restMs }, 'upstream failed');
    } else {
      // It is not to blame, so that it has answered.
      this.#health.recover(at);
      this.#ports.logger.debug(fields, 'upstream refused');
    }
    return thrown;
  }

  #pause(attempt: number): Promise<void> {
    const [high = 0, low = 0] = this.#ports.random.bytes(2);
    const longest = PAUSE_MS * 2 ** (attempt - this.#urls.length);
    return this.#wait(longest * (0.5 + (high * 256 + low) / 0x1_0000 / 2));
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#ports.timer.after(ms, resolve);
    });
  }
}
