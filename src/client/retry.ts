import type { Route } from './generated.ts';
import type { PaymentsError, PaymentsErrorCode } from './payments-error.ts';

/** The pause before the first retry, ms, and the longest that is doubled to. */
const PAUSE_MS = 250;
const PAUSE_MS_MAX = 4_000;

/** The longest `Retry-After` that is waited for, ms. Longer ones are the caller's to decide on. */
const RETRY_AFTER_MS_MAX = 30_000;

/** Refused before anything was done, or still being done under the same key. */
const REFUSED: ReadonlySet<PaymentsErrorCode> = new Set([
  'RATE_LIMITED',
  'SERVICE_BUSY',
  'UPSTREAM_RATE_LIMITED',
  'LEDGER_STOPPED',
  'IDEMPOTENCY_KEY_IN_USE',
]);

/**
 * How long to wait before the same request is sent again, ms; null if it must not be.
 *
 * @param attempt how many attempts have failed before, from 0.
 * @param chance from 0 to 1: pauses differ, so that clients that failed together do not return together.
 */
export function pauseBefore(
  error: PaymentsError,
  route: Route,
  attempt: number,
  chance: number,
): number | null {
  if (!isRepeatable(error, route)) return null;
  const { retryAfterMs } = error;
  const pause = Math.min(PAUSE_MS * 2 ** attempt, PAUSE_MS_MAX);
  if (retryAfterMs === null) return pause * (0.5 + chance / 2);
  return retryAfterMs > RETRY_AFTER_MS_MAX ? null : retryAfterMs + PAUSE_MS * chance;
}

/** What may have been carried out is repeated only where it changes nothing, or under its key. */
function isRepeatable({ code, status }: PaymentsError, { isKeyed, isRead }: Route): boolean {
  if (REFUSED.has(code)) return true;
  // A proxy in front of the service that is overloaded, or has none to pass the request to.
  if (code === 'ANSWER_UNUSABLE') return status === 429 || status === 503;
  return code === 'NETWORK' && (isKeyed || isRead);
}
