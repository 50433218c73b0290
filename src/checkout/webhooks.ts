import { createHmac } from 'node:crypto';
import { failureFields } from '../errors/failure-fields.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Timer } from '../ports/timer.ts';
import type { Payment, PaymentStore } from '../settlement/payment-store.ts';
import type { Checkout } from './checkout.ts';
import { eventIdOf, writeEvent } from './events.ts';
import type { Merchant, Merchants } from './merchants.ts';

interface WebhookSenderParts {
  readonly payments: PaymentStore;
  readonly checkout: Pick<Checkout, 'find'>;
  readonly merchants: Merchants;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly random: Random;
  readonly logger: Logger;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses after failed attempts, in ms: the example schedule of Standard Webhooks 1.0.0. */
const RETRY_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Maximum extension of a pause, as a fraction. Events that failed together are then not retried together. */
const JITTER = 1 / 10;

/** Timeout of an attempt, in ms. Standard Webhooks recommends 15 to 30 s. */
const TIMEOUT_MS = 15 * SECOND_MS;

/** Time for which an event is reserved, in ms: longer than an attempt. */
const LEASE_MS = TIMEOUT_MS + 5 * SECOND_MS;

/** Interval between searches for events that are due, in ms. */
const INTERVAL_MS = SECOND_MS;

/** Maximum number of concurrent attempts, in total and per merchant, because a receiver may be slow. */
const ATTEMPTS_MAX = 512;
const ATTEMPTS_MAX_OF_ONE = 64;

/** The receiver will never accept events again. */
const GONE = 410;

type Outcome = 'delivered' | 'failed' | 'abandoned';

/**
 * Sends events to the URLs of merchants (Standard Webhooks). An attempt is recorded after its response, so an
 * event is sent at least once, even if the process is killed at any moment. Failed attempts are retried.
 */
export class WebhookSender {
  readonly #parts: WebhookSenderParts;
  readonly #counts: Record<Outcome, number> = { delivered: 0, failed: 0, abandoned: 0 };
  /** The attempts in progress, and the merchant of each. */
  readonly #attempts = new Map<Promise<void>, string>();
  readonly #requests = new Set<AbortController>();
  #isClosed = false;
  /** Whether the last read of the store failed. */
  #isBlind = false;
  #searching: Promise<unknown> = Promise.resolve();
  #cancel = (): void => undefined;

  constructor(parts: WebhookSenderParts) {
    this.#parts = parts;
  }

  /**
   * Number of attempts by this process, by outcome. A `failed` attempt will be retried. An `abandoned`
   * one was the last.
   */
  get counts(): Readonly<Record<Outcome, number>> {
    return this.#counts;
  }

  /** Starts sending events when they are due. */
  start(): void {
    if (this.#isClosed) return;
    this.#searching = this.#begin().finally(() => {
      if (!this.#isClosed) this.#cancel = this.#parts.timer.after(INTERVAL_MS, () => this.start());
    });
  }

  /** Makes one attempt for each event that is due. Resolves when all attempts have ended. */
  async sendDue(): Promise<void> {
    await Promise.all(await this.#begin());
  }

  /** Stops, and aborts the attempts in progress. They are repeated after their leases end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#searching;
    for (const request of this.#requests) request.abort();
    await Promise.all(this.#attempts.keys());
  }

  /** Starts an attempt for each event that is due, and returns the attempts. */
  async #begin(): Promise<readonly Promise<void>[]> {
    const free = ATTEMPTS_MAX - this.#attempts.size;
    if (free === 0) return [];
    try {
      const due = await this.#parts.payments.leaseDeliveries(free, LEASE_MS);
      this.#isBlind = false;
      return due.flatMap((event) => this.#beginFor(event));
    } catch (error) {
      // Once per outage, because the search runs every second.
      if (!this.#isBlind) this.#parts.logger.error(failureFields(error), 'the events cannot be read');
      this.#isBlind = true;
      return [];
    }
  }

  #beginFor(event: Payment): Promise<void>[] {
    const merchant = event.order?.merchant ?? '';
    const same = [...this.#attempts.values()].filter((each) => each === merchant).length;
    // The event waits for the end of its lease.
    if (same >= ATTEMPTS_MAX_OF_ONE) return [];
    const attempt = this.#send(event).finally(() => this.#attempts.delete(attempt));
    this.#attempts.set(attempt, merchant);
    return [attempt];
  }

  /** Sends an event and records the result. If the store fails, the event is sent again after its lease. */
  async #send(event: Payment): Promise<void> {
    const { payments, checkout, merchants, clock, logger } = this.#parts;
    const { order, delivery } = event;
    if (order === null || delivery === null) return;
    try {
      const [merchant, found] = await Promise.all([
        merchants.find(order.merchant),
        checkout.find(order.orderId),
      ]);
      const url = merchant?.webhookUrl ?? null;
      if (merchant === undefined || found === undefined || url === null) {
        await payments.advance(event, { delivery: { ...delivery, state: 'abandoned' } });
        return;
      }
      const attemptedMs = clock.now();
      // While the setting is being changed, a replica with the old origins must not abandon the event.
      const status = merchants.allowsWebhook(url)
        ? await this.#post(url, merchant, eventIdOf(event), writeEvent(event, found), attemptedMs)
        : null;
      if (status === null && this.#isClosed) return;
      const attempts = delivery.attempts + 1;
      const { outcome, retryMs } = judge(status, attempts);
      const state = outcome === 'failed' ? 'due' : outcome;
      const result = { state, attempts, status, attemptedMs } as const;
      await payments.advance(event, { delivery: result }, this.#jittered(retryMs));
      this.#counts[outcome] += 1;
      if (outcome === 'abandoned')
        logger.warn({ payment: event.id, attempts, status }, 'an event was abandoned');
    } catch (error) {
      logger.error({ payment: event.id, ...failureFields(error) }, 'an event could not be sent');
    }
  }

  /** Returns the status of the response; null if there was none in time. */
  async #post(
    url: string,
    merchant: Merchant,
    id: string,
    body: string,
    nowMs: number,
  ): Promise<number | null> {
    const { fetch, merchants, timer } = this.#parts;
    const timestamp = String(Math.floor(nowMs / SECOND_MS));
    const key = Buffer.from(merchants.webhookSecretOf(merchant).slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    const request = new AbortController();
    this.#requests.add(request);
    const cancel = timer.after(TIMEOUT_MS, () => request.abort());
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature}`,
        },
        body,
        redirect: 'manual',
        signal: request.signal,
      });
      // The body is ignored, and may never end.
      response.body?.cancel().catch(() => undefined);
      return response.status;
    } catch {
      return null;
    } finally {
      cancel();
      this.#requests.delete(request);
    }
  }

  #jittered(ms: number): number {
    const [byte = 0] = this.#parts.random.bytes(1);
    return ms * (1 + (JITTER * byte) / 255);
  }
}

/** Returns the outcome of an attempt, and the pause until the next one, in ms. */
function judge(
  status: number | null,
  attempts: number,
): { readonly outcome: Outcome; readonly retryMs: number } {
  if (status !== null && status >= 200 && status < 300) return { outcome: 'delivered', retryMs: 0 };
  const retryMs = RETRY_MS[attempts - 1];
  if (status === GONE || retryMs === undefined) return { outcome: 'abandoned', retryMs: 0 };
  return { outcome: 'failed', retryMs };
}
