import type { ServiceError } from '../../errors/service-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Timer } from '../../ports/timer.ts';
import { RetryBudget } from './retry-budget.ts';
import {
  type LongAnswer,
  type Transport,
  TransportFault,
  type UpstreamAnswer,
  type UpstreamRequest,
} from './transport.ts';
import { faultOfTransport, UpstreamFault } from './upstream-fault.ts';

interface Route {
  readonly order: number[];
  /** Whether the first URL failed before and is probed to see whether it answers again. */
  readonly isProbe: boolean;
}

/**
 * Decides which URLs of an upstream to try, by their index in the configured order. A URL that failed is
 * unhealthy until it answers. After its rest only a single call probes it, because the URL may hang.
 */
export class UrlHealth {
  readonly #clock: Clock;
  /** End of each URL's rest, Unix ms; null for healthy URLs. */
  readonly #restingUntil: (number | null)[];
  readonly #probed = new Set<number>();

  constructor(urlCount: number, clock: Clock) {
    this.#clock = clock;
    this.#restingUntil = Array.from({ length: urlCount }, () => null);
  }

  /**
   * Returns all indices: first the healthy URLs in their order (`last` at the end), then the others, sorted
   * by the end of their rest. If a URL is healthy and `mayProbe` is set, the route starts with a URL whose
   * rest has ended. The caller must then call {@link rest} or {@link recover} for it.
   */
  route(mayProbe: boolean, last?: number): Route {
    const positions = [...this.#restingUntil.keys()];
    const turn = (at: number): number => (at === last ? positions.length : at);
    const healthy = positions
      .filter((at) => this.#restingUntil[at] === null)
      .sort((left, right) => turn(left) - turn(right));
    const others = positions
      .filter((at) => this.#restingUntil[at] !== null)
      .sort((left, right) => this.#waitMs(left) - this.#waitMs(right) || left - right);
    const probe = others.find((at) => this.#waitMs(at) === 0 && !this.#probed.has(at));
    if (!mayProbe || healthy.length === 0 || probe === undefined)
      return { order: [...healthy, ...others], isProbe: false };
    this.#probed.add(probe);
    return { order: [probe, ...healthy, ...others.filter((at) => at !== probe)], isProbe: true };
  }

  /** Whether the URL has answered since it last failed. */
  isHealthy(at: number): boolean {
    return this.#restingUntil[at] === null;
  }

  /** Skips the URL for a while. */
  rest(at: number, restMs: number): void {
    this.#probed.delete(at);
    this.#restingUntil[at] = this.#clock.now() + restMs;
  }

  /** Marks the URL as healthy. */
  recover(at: number): void {
    this.#probed.delete(at);
    this.#restingUntil[at] = null;
  }

  #waitMs(at: number): number {
    return Math.max(0, (this.#restingUntil[at] ?? 0) - this.#clock.now());
  }
}

/** Time limit for one attempt, in ms. */
export const TIMEOUT_MS = 5_000;
/** Time limit for a probe, in ms. It checks whether a failed URL answers again, so it must cost little. */
export const PROBE_TIMEOUT_MS = 1_000;
/** Time a read waits for one URL before it also tries the next, in ms. */
export const HEDGE_MS = 300;
/** Maximum number of attempts after the first attempt. */
const RETRIES_MAX = 2;
/** Default maximum size of an answer, in bytes. */
export const ANSWER_BYTES_MAX = 1024 * 1024;

/** Maximum pause before the same URL is retried, in ms. The minimum is half. Both double once. */
const PAUSE_MS = 100;

/** External dependencies of an upstream. */
export interface UpstreamPorts {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly timer: Timer;
  /** Timer for the pauses between attempts; defaults to `timer`. */
  readonly pauses?: Timer;
  readonly logger: Logger;
}

/** A request to an upstream, independent of the URL it goes to. */
export interface UpstreamCall<T> {
  /** Name of the request in the log: an RPC method or a path. */
  readonly what: string;
  /** Whether repeating the request is harmless. */
  readonly isRepeatable: boolean;
  readonly answerBytesMax: number;
  readonly longAnswer?: LongAnswer;
  /** Whether a second URL may be tried if the first is late; default true. */
  readonly mayHedge?: () => boolean;
  /** Index of the URL to try last among the healthy URLs. */
  readonly notBy?: number | undefined;
  /** Whether an error ends the call without trying other URLs. */
  readonly endsWith?: ((error: ServiceError) => boolean) | undefined;
  /** The request for the configured URL at an index. */
  readonly address: (base: URL, at: number) => Pick<UpstreamRequest, 'method' | 'url' | 'body'>;
  /**
   * Decodes the answer of the URL at an index.
   *
   * @throws {UpstreamFault}
   */
  readonly read: (answer: UpstreamAnswer, base: URL, at: number) => T | Promise<T>;
}

interface Lagging {
  readonly at: number;
  readonly catchUpMs: number;
}

/**
 * A service reached at one or more URLs, tried in order. A URL that failed moves to the end until it answers
 * a later read. A request that must not be repeated never probes a failed URL.
 *
 * A repeatable request is retried up to {@link RETRIES_MAX} times, after a pause if the URL is the same. If
 * all attempts failed and a URL was only slightly behind, the client waits for it. A request that is not
 * answered within {@link HEDGE_MS} is also sent to the next URL, and the first usable answer counts. Attempts
 * at URLs that have failed, and those that are sent early, are limited by a {@link RetryBudget}.
 */
export class Upstream {
  /** Name of the service in messages and logs ("the rollup of mainnet"). */
  readonly who: string;
  readonly #urls: readonly URL[];
  readonly #ports: UpstreamPorts;
  readonly #health: UrlHealth;
  readonly #budget: RetryBudget;

  constructor(who: string, urls: readonly URL[], ports: UpstreamPorts) {
    this.who = who;
    this.#urls = urls;
    this.#ports = ports;
    this.#health = new UrlHealth(urls.length, ports.clock);
    this.#budget = new RetryBudget(ports.clock);
  }

  /**
   * Sends the request and returns the result of `call.read`.
   *
   * @throws {ServiceError} the error of the last attempt.
   */
  async request<T>(call: UpstreamCall<T>): Promise<T> {
    const { order: queue, isProbe } = this.#health.route(call.isRepeatable, call.notBy);
    this.#budget.countRequest();
    let lagging: Lagging | null = null;
    for (let attempt = 0; ; attempt++) {
      const at = queue.shift() as number;
      // Every URL was tried once. From here on, a URL is retried.
      if (attempt >= this.#urls.length) await this.#pause(attempt);
      try {
        const first = this.#attempt(call, at, isProbe && attempt === 0 ? PROBE_TIMEOUT_MS : TIMEOUT_MS);
        return await this.#hedge(first, call, [at, queue[0]]);
      } catch (error) {
        const fault = this.#note(call, at, error);
        const { retry, catchUpMs, error: serviceError } = fault;
        if (retry === 'anywhere') queue.push(at);
        if (catchUpMs !== null && catchUpMs < (lagging?.catchUpMs ?? Infinity)) lagging = { at, catchUpMs };
        if (!call.isRepeatable || isFinal(call, fault)) throw serviceError;
        if (attempt < RETRIES_MAX && this.#mayTry(queue[0])) continue;
        if (lagging === null) throw serviceError;
        return await this.#waitForLagging(call, lagging);
      }
    }
  }

  /**
   * Waits for the first attempt, and asks a second URL if the first is late with a read.
   *
   * @throws the error of the first attempt, if neither gets an answer.
   */
  async #hedge<T>(
    first: Promise<T>,
    call: UpstreamCall<T>,
    [at, next]: readonly [number, number | undefined],
  ): Promise<T> {
    const mayHedge = call.isRepeatable && next !== undefined && next !== call.notBy;
    if (!mayHedge || !(await this.#isLate(first))) return await first;
    if (call.mayHedge?.() === false || !this.#health.isHealthy(next)) return await first;
    if (!this.#budget.take()) return await first;
    const note =
      (by: number) =>
      (error: unknown): void => {
        if (error instanceof UpstreamFault) this.#note(call, by, error);
        // The URL is not to blame.
        else this.#health.recover(by);
      };
    const second = this.#attempt(call, next, TIMEOUT_MS);
    second.catch(note(next));
    try {
      const value = await Promise.race([
        first.catch((error: unknown) => (isFinal(call, error) ? first : second)),
        second.catch(() => first),
      ]);
      first.catch(note(at));
      return value;
    } catch {
      return await first;
    }
  }

  /** Whether a call can go on to a URL: a healthy URL, or any other URL while the retry budget lasts. */
  #mayTry(next: number | undefined): boolean {
    return next !== undefined && (this.#health.isHealthy(next) || this.#budget.take());
  }

  #isLate(attempt: Promise<unknown>): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#ports.timer.after(HEDGE_MS, () => resolve(true));
      const end = (): void => {
        cancel();
        resolve(false);
      };
      attempt.then(end, end);
    });
  }

  /** Waits for a URL that is behind. Asks once halfway, because one URL may have several nodes behind it. */
  async #waitForLagging<T>(call: UpstreamCall<T>, { at, catchUpMs }: Lagging): Promise<T> {
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
    const value = await call.read(answer, base, at);
    // The URL counts as healthy only after its answer proved usable.
    this.#health.recover(at);
    return value;
  }

  async #send(
    { address, answerBytesMax, isRepeatable, longAnswer }: UpstreamCall<unknown>,
    base: URL,
    at: number,
    timeoutMs: number,
  ): Promise<UpstreamAnswer> {
    try {
      return await this.#ports.transport.send({
        timeoutMs,
        answerBytesMax,
        mayReuseConnection: isRepeatable,
        longAnswer,
        ...address(base, at),
      });
    } catch (error) {
      if (error instanceof TransportFault) throw faultOfTransport(this.who, error);
      throw error;
    }
  }

  /** Records a failed attempt. Rethrows anything that is not a fault, because that is a bug. */
  #note({ what }: UpstreamCall<unknown>, at: number, thrown: unknown): UpstreamFault {
    if (!(thrown instanceof UpstreamFault)) {
      // A bug here is not the URL's fault, and its probe must end.
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
      // The URL is not to blame, so it counts as having answered.
      this.#health.recover(at);
      this.#ports.logger.debug(fields, 'upstream rejected the request');
    }
    return thrown;
  }

  #pause(attempt: number): Promise<void> {
    // Random, so clients that failed together do not return together.
    const [high = 0, low = 0] = this.#ports.random.bytes(2);
    const longest = PAUSE_MS * 2 ** (attempt - this.#urls.length);
    return this.#wait(longest * (0.5 + (high * 256 + low) / 0x1_0000 / 2));
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      (this.#ports.pauses ?? this.#ports.timer).after(ms, resolve);
    });
  }
}

/** Whether no other URL is tried after this error. */
const isFinal = ({ endsWith }: UpstreamCall<unknown>, error: unknown): boolean =>
  !(error instanceof UpstreamFault) || error.retry === 'never' || endsWith?.(error.error) === true;
