import { z } from 'zod';
import type { ErrorCode } from '../../errors/codes.ts';
import { type ErrorContext, ServiceError, TracelessError } from '../../errors/service-error.ts';
import { basicCredentialsOf, type TransportFault } from './transport.ts';

/** URLs for retrying a read. `elsewhere` excludes the URL that failed or requested a pause. */
type Retry = 'anywhere' | 'elsewhere' | 'never';

/** One failed attempt, with the error for the caller and the rules for a retry. */
export class UpstreamFault extends TracelessError {
  override readonly name = 'UpstreamFault';
  readonly error: ServiceError;
  readonly retry: Retry;
  /** Time the URL is skipped, in ms; 0 if it did not cause the failure. */
  readonly restMs: number;
  /** Estimated time until the URL has caught up, in ms; null if waiting is pointless. */
  readonly catchUpMs: number | null;

  constructor(error: ServiceError, retry: Retry, restMs: number, catchUpMs: number | null = null) {
    super(error.message);
    this.error = error;
    this.retry = retry;
    this.restMs = restMs;
    this.catchUpMs = catchUpMs;
  }
}

/** Time a failed URL is skipped while others remain, in ms. */
export const REST_MS = 10_000;
/** Maximum pause that a URL may request with `Retry-After`, in ms. */
const REST_MS_MAX = 60_000;

/**
 * Maximum wait for a URL that is behind, in ms. Healthy nodes are one to three slots of 400 ms apart at
 * `confirmed`, because votes reach them at different times. An answer from an older slot would hide a payment
 * that a caller has seen. Without the wait, calls would fail whenever another node takes over.
 */
export const CATCH_UP_MS_MAX = 2_400;

function fault(
  code: ErrorCode,
  message: string,
  { retry, restMs = REST_MS, context = {} }: { retry: Retry; restMs?: number; context?: ErrorContext },
): UpstreamFault {
  return new UpstreamFault(new ServiceError(code, message, context), retry, restMs);
}

/** Creates the fault for an attempt without an answer. `who` names the upstream ("the rollup of mainnet"). */
export function faultOfTransport(who: string, { kind, systemCode }: TransportFault): UpstreamFault {
  const retry = 'anywhere';
  const context: ErrorContext = systemCode === undefined ? {} : { reason: systemCode };
  switch (kind) {
    case 'unreachable':
      return fault('UPSTREAM_UNAVAILABLE', `${who} could not be reached; try again`, { retry, context });
    case 'broken-off':
      return fault('UPSTREAM_UNAVAILABLE', `${who} closed the connection during its answer; try again`, {
        retry,
        context,
      });
    case 'timed-out':
      return fault('UPSTREAM_TIMEOUT', `${who} did not answer in time; try again`, { retry: 'elsewhere' });
    case 'too-large':
      return fault(
        'UPSTREAM_INVALID',
        `${who} sent an answer that is too large; try again, or request less`,
        {
          retry: 'elsewhere',
          restMs: 0,
        },
      );
    case 'forbidden-address':
      return fault(
        'CLUSTER_NOT_ALLOWED',
        'cluster names a host whose address is not on the public internet; pass the name of a cluster',
        { retry: 'never', restMs: 0, context: { field: 'cluster' } },
      );
  }
}

/** Creates the fault for a complete but unusable answer. `what` completes "<who> answered ...". */
export function faultOfAnswer(who: string, what: string): UpstreamFault {
  return fault(
    'UPSTREAM_INVALID',
    `${who} answered ${what}; try again, or ask the operator to check its URL`,
    { retry: 'elsewhere' },
  );
}

/** Returns the error for an HTTP status other than 200. `hasToken`: whether the caller's token was sent. */
export function faultOfStatus(
  who: string,
  status: number,
  retryAfter: string | null,
  hasToken: boolean,
): UpstreamFault {
  const context: ErrorContext = { upstreamStatus: status, ...retryContext(retryAfter) };
  const restMs = restOf(retryAfter);
  if (status === 429) {
    const message = `${who} limits the rate of requests; try again${afterWords(retryAfter)}`;
    return fault('UPSTREAM_RATE_LIMITED', message, { retry: 'elsewhere', restMs, context });
  }
  if (hasToken && (status === 401 || status === 403)) {
    const message = `${who} rejected the bearer token; log in again`;
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
    const message = `${who} rejected the request with HTTP status ${status}; ask the operator to check its URL and key`;
    return fault('UPSTREAM_REJECTED', message, { retry: 'elsewhere', restMs, context });
  }
  const message = `${who} answered with HTTP status ${status}, and redirects are not followed; ask the operator to check its URL`;
  return fault('UPSTREAM_INVALID', message, { retry: 'elsewhere', restMs, context });
}

/** Returns the seconds of a `Retry-After`. Its date form is ignored. */
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

/** JSON-RPC codes with a specific meaning (Agave `rpc-client-api/src/custom_error.rs`, jsonrpc-core). */
const RPC_CODES: ReadonlyMap<number, { code: ErrorCode; retry: Retry; words: string }> = new Map([
  [-32_005, { code: 'UPSTREAM_UNAVAILABLE', retry: 'elsewhere', words: 'is behind its cluster' }],
  [-32_016, { code: 'UPSTREAM_UNAVAILABLE', retry: 'anywhere', words: 'has not reached the requested slot' }],
  [-32_603, { code: 'UPSTREAM_UNAVAILABLE', retry: 'anywhere', words: 'failed internally' }],
  // This code is not from Agave: providers that limit rates inside JSON-RPC reuse HTTP's 429.
  [-32_429, { code: 'UPSTREAM_RATE_LIMITED', retry: 'elsewhere', words: 'limits the rate of requests' }],
]);

/** Creates the fault for an answer that is `slots` slots too old. Allows one more slot, for uneven votes. */
export function faultOfLag(who: string, slots: number, slotMs: number): UpstreamFault {
  const catchUpMs = (slots + 1) * slotMs;
  const message = `${who} is ${slots} ${slots === 1 ? 'slot' : 'slots'} behind its earlier answers; try again`;
  const error = new ServiceError('UPSTREAM_UNAVAILABLE', message, { slotsBehind: slots });
  return new UpstreamFault(error, 'elsewhere', REST_MS, catchUpMs <= CATCH_UP_MS_MAX ? catchUpMs : null);
}

/**
 * Returns the error for a JSON-RPC error response. The upstream's message is not passed on: it may contain
 * a URL or a key.
 */
export function faultOfRpcError(who: string, rpcCode: number): UpstreamFault {
  const context = { rpcCode };
  const known = RPC_CODES.get(rpcCode);
  if (known === undefined) {
    const message = `${who} rejected the request with JSON-RPC error ${rpcCode}; ask the operator whether this RPC supports it`;
    return fault('UPSTREAM_REJECTED', message, { retry: 'never', restMs: 0, context });
  }
  const { code, retry, words } = known;
  return fault(code, `${who} ${words}; try again`, { retry, context });
}

/**
 * Codes that reject the transaction itself, so it certainly did not land (Agave `custom_error.rs`): preflight
 * failure, signature verification failure (a rollup's answer for any failed check), precompile failure, wrong
 * number of signatures, unsupported version; and jsonrpc-core's invalid params, for bytes that are not a
 * transaction.
 */
const TRANSACTION_REFUSALS: ReadonlySet<number> = new Set([
  -32_002, -32_003, -32_006, -32_013, -32_015, -32_602,
]);

/** An upstream's reason for refusing a transaction, safe to show. */
interface TransactionRefusal {
  /** The transaction error as JSON text, or the upstream's message; null if neither may be shown. */
  readonly reason: string | null;
  readonly logs: readonly string[];
}

/** Creates the fault for a submission's JSON-RPC error: TRANSACTION_FAILED if the transaction was refused. */
export function faultOfSending(
  who: string,
  rpcCode: number,
  { reason, logs }: TransactionRefusal,
): UpstreamFault {
  if (!TRANSACTION_REFUSALS.has(rpcCode)) return faultOfRpcError(who, rpcCode);
  const message = `${who} rejected the transaction: ${reason ?? `JSON-RPC error ${rpcCode}`}`;
  const context = { rpcCode, ...(reason === null ? {} : { reason }), ...(logs.length === 0 ? {} : { logs }) };
  return fault('TRANSACTION_FAILED', message, { retry: 'never', restMs: 0, context });
}

/** Maximum length of a quoted upstream text, in characters. */
const QUOTE_MAX = 300;

/** Minimum length of a URL part to hide. Shorter parts occur in ordinary text ("v1", "rpc"). */
const SECRET_LENGTH_MIN = 6;

/**
 * Shortens `text` for quoting. Returns null if it contains a URL or a part of its source URL (host, path,
 * query, user, password, and the encoded credentials), because operators put keys there.
 */
export function quoteSafely(text: string, source: URL): string | null {
  if (text.includes('://')) return null;
  const lowerCase = text.toLowerCase();
  if (partsOf(source).some((part) => lowerCase.includes(part))) return null;
  return text.length > QUOTE_MAX ? `${text.slice(0, QUOTE_MAX)}...` : text;
}

function partsOf(url: URL): string[] {
  const { host, hostname, username, password, pathname, search } = url;
  // The value of each pair, and keys without a value.
  const query = search.slice(1).split('&');
  const values = query.map((pair) => pair.slice(pair.indexOf('=') + 1));
  const raw = [host, hostname, username, password, ...pathname.split('/'), ...values];
  const parts = [...raw, ...url.searchParams.values(), ...raw.map(decodeLeniently), sentCredentialsOf(url)];
  return parts.filter((part) => part.length >= SECRET_LENGTH_MIN).map((part) => part.toLowerCase());
}

/** Returns the credentials of a URL as they are sent (base64 without padding); empty if the URL has none. */
export function sentCredentialsOf(url: URL): string {
  return basicCredentialsOf(url)?.replace(/=+$/, '') ?? '';
}

/** Decodes percent-encoding; returns the text itself if the encoding is malformed. */
export function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Maximum number of log lines returned. The last lines contain the failing call and its message. */
const LOG_LINES_MAX = 10;

/** The fields of a failed Agave preflight (`RpcSimulateTransactionResult`) that are used here. */
const preflight = z.object({
  err: z.unknown().optional(),
  logs: z.array(z.string()).nullish(),
});

/**
 * Reads from a JSON-RPC error why a transaction was rejected: its TransactionError if present, else the
 * upstream's message.
 *
 * @param source the URL the answer came from; no part of it may be shown.
 */
export function readTransactionRefusal(
  error: { message?: string | undefined; data?: unknown },
  source: URL,
): TransactionRefusal {
  const { err, logs } = preflight.safeParse(error.data).data ?? { err: undefined, logs: [] };
  const words = err === undefined || err === null ? error.message : textOf(err);
  return {
    reason: words === undefined ? null : quoteSafely(words, source),
    logs: (logs ?? []).slice(-LOG_LINES_MAX).flatMap((line) => quoteSafely(line, source) ?? []),
  };
}

const textOf = (err: unknown): string => (typeof err === 'string' ? err : JSON.stringify(err));
