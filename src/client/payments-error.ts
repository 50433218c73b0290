import type { SERVICE_CODES } from './generated.ts';

/**
 * The codes of a {@link PaymentsError}: the service's own codes and the following.
 *
 * - `NETWORK`: no response arrived. The call may have been executed: repeat it with the same key.
 * - `TIMEOUT`: the time limit was reached. The call may have been executed: repeat it with the same key.
 * - `ANSWER_UNUSABLE`: the response is not from this service, for example a proxy's page or a redirect.
 * - `ALREADY_SIGNED` (kit plugin): the ledger already had this transaction. See `details.signature`.
 * - `CHALLENGE_REFUSED` (kit plugin): the text to sign is not a login. See `details.challenge`.
 * - `UNKNOWN_CODE`: this version of the client does not define the code. See `serviceCode`.
 */
export type PaymentsErrorCode =
  | (typeof SERVICE_CODES)[number]
  | 'NETWORK'
  | 'TIMEOUT'
  | 'ANSWER_UNUSABLE'
  | 'ALREADY_SIGNED'
  | 'CHALLENGE_REFUSED'
  | 'UNKNOWN_CODE';

/** An invalid field of the arguments. */
export interface InvalidField {
  /** JSON Pointer to the field as a URI fragment (RFC 9457): `#/destinations/0`. */
  readonly pointer: string;
  readonly message: string;
}

interface ErrorFacts {
  /** HTTP status; 0 if no response arrived. */
  readonly status?: number;
  /** The id of the request in the service's log; null if no response contained it. */
  readonly requestId?: string | null;
  /** The code that the service sent; null if it sent none. */
  readonly serviceCode?: string | null;
  /** Details for programs, which depend on the code; empty if there are none. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly fields?: readonly InvalidField[];
  /** The service's requested pause before a retry, in ms; null if there is none. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** The error of every failed call, except an abort by the caller. */
export class PaymentsError extends Error {
  override readonly name = 'PaymentsError';
  readonly code: PaymentsErrorCode;
  readonly status: number;
  readonly requestId: string | null;
  readonly serviceCode: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly fields: readonly InvalidField[];
  readonly retryAfterMs: number | null;
  /** The idempotency key of the call, for repeating it safely; null if it has none. */
  idempotencyKey: string | null = null;

  /** @param message the message, which says what to change. It never contains a URL, a token or a body. */
  constructor(code: PaymentsErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status ?? 0;
    this.requestId = facts.requestId ?? null;
    this.serviceCode = facts.serviceCode ?? null;
    this.details = facts.details ?? {};
    this.fields = facts.fields ?? [];
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }
}
