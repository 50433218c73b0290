import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../ports/clock.ts';
import type { VerifiedPayment } from './verified-payment.ts';
import type { PaymentRequest } from './wire.ts';

/**
 * Time for which a verdict is remembered, in ms. Resource servers settle within it. A verified blockhash is
 * valid for at least 15 s, so at least 10 s remain.
 */
const REMEMBERED_MS = 5_000;

/** Maximum number of remembered verdicts. */
const VERDICTS_MAX = 1_000;

interface Verdict {
  readonly request: PaymentRequest;
  readonly payment: VerifiedPayment;
  readonly untilMs: number;
}

/**
 * Rollup payments that were valid a moment ago. They are settled without another simulation: if the state has
 * changed since, the transaction fails, which costs nothing on a rollup. On base, a failure costs the
 * facilitator a fee, so payments on base are never remembered.
 */
export class RecentVerdicts {
  readonly #clock: Clock;
  /** Verdicts by transaction text, oldest first. */
  readonly #verdicts = new Map<string, Verdict>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Remembers a valid payment, unless it is on base. */
  remember(request: PaymentRequest, payment: VerifiedPayment): void {
    const { transaction } = request;
    if (payment.ledger === 'base' || transaction === null) return;
    this.#verdicts.delete(transaction);
    const [oldest] = this.#verdicts.keys();
    if (oldest !== undefined && this.#verdicts.size >= VERDICTS_MAX) this.#verdicts.delete(oldest);
    this.#verdicts.set(transaction, { request, payment, untilMs: this.#clock.now() + REMEMBERED_MS });
  }

  /** Returns and forgets the payment of an identical request; undefined if none is remembered. */
  take(request: PaymentRequest): VerifiedPayment | undefined {
    const key = request.transaction ?? '';
    const verdict = this.#verdicts.get(key);
    this.#verdicts.delete(key);
    if (verdict === undefined || this.#clock.now() >= verdict.untilMs) return undefined;
    return isDeepStrictEqual(verdict.request, request) ? verdict.payment : undefined;
  }
}
