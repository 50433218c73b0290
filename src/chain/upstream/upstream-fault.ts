import type { ErrorCode } from '../../errors/codes.ts';
import { ServiceError, type ErrorContext } from '../../errors/service-error.ts';
import type { TransportFault } from './transport.ts';

/**
 * Where a read that failed may be tried again: `elsewhere` means at another URL only, because the same one
 * would most likely fail in the same way, or asked to be left alone.
 */
type Retry = 'anywhere' | 'elsewhere' | 'never';

/**
 * One failed attempt: what to tell the caller when it was the last one, and what to do about it until then.
 */
export class UpstreamFault extends Error {
  override readonly name = 'UpstreamFault';
  readonly error: ServiceError;
  readonly retry: Retry;
  /** How long the URL is passed over, ms; 0 when it is not to blame. */
  readonly restMs: number;
  /** In how many ms the URL will most likely have what it lacks; null when it is not worth waiting for. */
  readonly catchUpMs: number | null;

  constructor(error: ServiceError, retry: Retry, restMs: number, catchUpMs: number | null = null) {
    super(error.message);
    this.error = error;
    this.retry = retry;
    this.restMs = restMs;
    this.catchUpMs = catchUpMs;
  }
}

/** How long a URL that failed is passed over while there are others. */
export const REST_MS = 10_000;
/** The same when it named a time itself (`Retry-After`): not longer than this. */
const REST_MS_MAX = 60_000;

/**
 * How long a URL that is behind is waited for at most, ms. Nodes in good health are one to three slots of 400
 * ms apart at `confirmed`, as votes reach them at different times; to answer from before an answer already
 * given would take a payment back that somebody was shown, and to refuse at once would fail whenever the next
 * node takes over.
 */
export const CATCH_UP_MS_MAX = 2_400;

function fault(
  code: ErrorCode,
  message: string,
  { retry, restMs = REST_MS, context = {} }: { retry: Retry; restMs?: number; context?: ErrorContext },
): UpstreamFault {
  return new UpstreamFault(new ServiceError(code, message, context), retry, restMs);
}

/** The fault of an attempt without an answer. `who` names the upstream in words ("the rollup of mainnet"). */
export function faultOfTransport(who: string, { kind, systemCode }: TransportFault): UpstreamFault {
  const retry = 'anywhere';
  const context: ErrorContext = systemCode === undefined ? {} : { reason: systemCode };
  switch (kind) {
    case 'unreachable':
      return fault('UPSTREAM_UNAVAILABLE', `${who} could not be reached; try again`, { retry, context });
    case 'broken-off':
      return fault('UPSTREAM_UNAVAILABLE', `${who} broke off its answer; try again`, { retry, context });
    case 'timed-out':
      return fault('UPSTREAM_TIMEOUT', `${who} did not answer in time; try again`, { retry: 'elsewhere' });
    case 'too-large':
      return fault('UPSTREAM_INVALID', `${who} gave an answer larger than is read`, {
        retry: 'elsewhere',
        restMs: 0,
      });
    case 'forbidden-address':
      return fault(
        'CLUSTER_NOT_ALLOWED',
        'cluster names a host whose address is not on the public internet; pass the name of a cluster',
        { retry: 'never', restMs: 0, context: { field: 'cluster' } },
      );
  }
}

/** The fault of an answer that is whole but cannot be used; `what` completes "<who> answered ...". */
export function faultOfAnswer(who: string, what: string): UpstreamFault {
  return fault('UPSTREAM_INVALID', `${who} answered ${what}`, { retry: 'elsewhere' });
}

/** The fault of an HTTP status other than 200. `hasToken` says whether the caller's token was sent along. */
export function faultOfStatus(
  who: string,
  status: number,
  retryAfter: string | null,
  hasToken: boolean,
): UpstreamFault {
  const context: ErrorContext = { upstreamStatus: status, ...retryContext(retryAfter) };
  const restMs = restOf(retryAfter);
  if (status === 429) {
    const message = `${who} is asked too often; try again${afterWords(retryAfter)}`;
    return fault('UPSTREAM_RATE_LIMITED', message, { retry: 'elsewhere', restMs, context });
  }
  if (hasToken && (status === 401 || status === 403)) {
    const message = `${who} did not accept the bearer token; log in again`;
    return fault('AUTH_REFUSED', message, { retry: 'never', restMs: 0, context });
  }
  if (status === 408 || status === 504) {
    const message = `${who} did not answer in time; try again`;
    return fault('UPSTREAM_TIMEOUT', message, { retry: 'elsewhere', restMs, context });
  }
  if (status >= 500) {
    const message = `${who} failed with HTTP status ${status}; try again`;
    return fault('UPSTREAM_UNAVAILABLE', message, { retry: 'anywhere', restMs, context });
  }
  if (status >= 400) {
    const message = `${who} refused the request with HTTP status ${status}`;
    return fault('UPSTREAM_REJECTED', message, { retry: 'elsewhere', restMs, context });
  }
  const message = `${who} answered with HTTP status ${status}; redirects are not followed`;
  return fault('UPSTREAM_INVALID', message, { retry: 'elsewhere', restMs, context });
}

/** Seconds in a `Retry-After`; its other form, a date, is left unread. */
function retryAfterSeconds(retryAfter: string | null): number | null {
  return retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null;
}

function retryContext(retryAfter: string | null): ErrorContext {
  const seconds = retryAfterSeconds(retryAfter);
  return seconds === null ? {} : { retryAfterSeconds: seconds };
}

function afterWords(retryAfter: string | null): string {
  const seconds = retryAfterSeconds(retryAfter);
  return seconds === null ? ' later' : ` in ${seconds} s`;
}

function restOf(retryAfter: string | null): number {
  const seconds = retryAfterSeconds(retryAfter);
  return seconds === null ? REST_MS : Math.min(seconds * 1_000, REST_MS_MAX);
}

/** JSON-RPC codes (Agave `rpc-client-api/src/custom_error.rs`, jsonrpc-core) that say more than "refused". */
const RPC_CODES: ReadonlyMap<number, { code: ErrorCode; retry: Retry; words: string }> = new Map([
  [-32_005, { code: 'UPSTREAM_UNAVAILABLE', retry: 'elsewhere', words: 'is behind its cluster' }],
  [-32_016, { code: 'UPSTREAM_UNAVAILABLE', retry: 'anywhere', words: 'has not reached the slot asked for' }],
  [-32_603, { code: 'UPSTREAM_UNAVAILABLE', retry: 'anywhere', words: 'failed inside' }],
  // Not Agave's: providers that limit rates inside JSON-RPC carry HTTP's 429 over.
  [-32_429, { code: 'UPSTREAM_RATE_LIMITED', retry: 'elsewhere', words: 'is asked too often' }],
]);

/**
 * The fault of an answer from before another that was already given, by `slots` of `slotMs` each. One slot
 * more is allowed for, since votes do not come evenly.
 */
export function faultOfLag(who: string, slots: number, slotMs: number): UpstreamFault {
  const catchUpMs = (slots + 1) * slotMs;
  const message = `${who} is behind what it answered before, by ${slots} ${slots === 1 ? 'slot' : 'slots'}; try again`;
  const error = new ServiceError('UPSTREAM_UNAVAILABLE', message, { slotsBehind: slots });
  return new UpstreamFault(error, 'elsewhere', REST_MS, catchUpMs <= CATCH_UP_MS_MAX ? catchUpMs : null);
}

/**
 * The fault of a JSON-RPC error. The upstream's own words are not passed on: they may repeat a URL or a key.
 */
export function faultOfRpcError(who: string, rpcCode: number): UpstreamFault {
  const context = { rpcCode };
  const known = RPC_CODES.get(rpcCode);
  if (known === undefined) {
    const message = `${who} refused the request with JSON-RPC error ${rpcCode}`;
    return fault('UPSTREAM_REJECTED', message, { retry: 'never', restMs: 0, context });
  }
  const { code, retry, words } = known;
  return fault(code, `${who} ${words}; try again`, { retry, context });
}

/**
 * Codes that refuse the transaction itself, so that nothing was taken (Agave `custom_error.rs`): preflight
 * failure, signature verification failure (a rollup answers with it for whatever its checks find), precompile
 * failure, wrong number of signatures, unsupported version; and jsonrpc-core's invalid params, for bytes that
 * are no transaction.
 */
const TRANSACTION_REFUSALS: ReadonlySet<number> = new Set([
  -32_002, -32_003, -32_006, -32_013, -32_015, -32_602,
]);

/** What an upstream says of a transaction it refuses, safe to show. */
export interface TransactionRefusal {
  /**
   * The transaction error as JSON text, or the upstream's words; null when there are none fit to be shown.
   */
  readonly reason: string | null;
  readonly logs: readonly string[];
}

/** The fault of a JSON-RPC error to a transaction that was sent: TRANSACTION_FAILED when it was judged. */
export function faultOfSending(
  who: string,
  rpcCode: number,
  { reason, logs }: TransactionRefusal,
): UpstreamFault {
  if (!TRANSACTION_REFUSALS.has(rpcCode)) return faultOfRpcError(who, rpcCode);
  const message = `${who} refused the transaction: ${reason ?? `JSON-RPC error ${rpcCode}`}`;
  const context = { rpcCode, ...(reason === null ? {} : { reason }), ...(logs.length === 0 ? {} : { logs }) };
  return fault('TRANSACTION_FAILED', message, { retry: 'never', restMs: 0, context });
}
