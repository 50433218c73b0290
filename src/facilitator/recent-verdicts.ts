import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../ports/clock.ts';
import type { VerifiedPayment } from './verified-payment.ts';
import type { PaymentRequest } from './wire.ts';

/**
 * Time for which a verdict is remembered, in ms: resource servers settle within it, and 10 of the 15 seconds
 * remain that the blockhash was valid at least.
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
 * Payments on a rollup that were valid a moment ago. Settling them need not simulate them again: if the state
 * has changed since, the transaction fails, which costs nothing on a rollup. On base, it would cost the
 * facilitator a fee, so payments on base are never remembered.
 */
export class RecentVerdicts {
  readonly #clock: Clock;
  /** By the transaction's text, the oldest first. */
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

  /** Returns the payment of the same request, once; undefined if it is not remembered. */
  take(request: PaymentRequest): VerifiedPayment | undefined {
    const key = request.transaction ?? '';
    const verdict = this.#verdicts.get(key);
    this.#verdicts.delete(key);
    if (verdict === undefined || this.#clock.now() >= verdict.untilMs) return undefined;
    return isDeepStrictEqual(verdict.request, request) ? verdict.payment : undefined;
  }
}
