import type { SERVICE_CODES } from './generated.ts';

/**
 * The codes of a {@link PaymentsError}: those of the service, and what only a caller can see.
 *
 * - `NETWORK`: no answer came. What the call changes may have happened: repeat it with the same
 *   `idempotencyKey`.
 * - `TIMEOUT`: the same, since time was up.
 * - `ANSWER_UNUSABLE`: the answer is not one of this service: a proxy's page, a redirect, another program.
 * - `ALREADY_SIGNED`: of the plugin for kit: the ledger had the very transaction before this call handed it
 *   in, so that this call may have paid nothing. `details.signature` is to be looked up.
 * - `CHALLENGE_REFUSED`: of the plugin for kit: the rollup asked for a signature over a text that is no login
 *   of the wallet, of now, and that nobody agreed to. Nothing was signed. `details.challenge` is the text.
 * - `UNKNOWN_CODE`: a code that this version of the client does not know; `serviceCode` has it.
 */
export type PaymentsErrorCode =
  | (typeof SERVICE_CODES)[number]
  | 'NETWORK'
  | 'TIMEOUT'
  | 'ANSWER_UNUSABLE'
  | 'ALREADY_SIGNED'
  | 'CHALLENGE_REFUSED'
  | 'UNKNOWN_CODE';

/** A field of the arguments that is not as it should be. */
export interface InvalidField {
  /** JSON Pointer to the field as a URI fragment (RFC 9457): `#/destinations/0`. */
  readonly pointer: string;
  readonly message: string;
}

/** What is known of a failure besides its code and its message. */
interface ErrorFacts {
  /** HTTP status; 0 when no answer came. */
  readonly status?: number;
  /** What the request is called in the log of the service; null when no answer named it. */
  readonly requestId?: string | null;
  /** The code as the service wrote it; null when no answer had one. */
  readonly serviceCode?: string | null;
  /** Facts for programs, by code; empty when there are none. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly fields?: readonly InvalidField[];
  /** How long the service asks to wait, ms; null when it does not say. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** The one error that calls fail with, except for the caller's own abort. */
export class PaymentsError extends Error {
  override readonly name = 'PaymentsError';
  readonly code: PaymentsErrorCode;
  readonly status: number;
  readonly requestId: string | null;
  readonly serviceCode: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly fields: readonly InvalidField[];
  readonly retryAfterMs: number | null;
  /** The key of the call, with which it can be repeated safely; null when it has none. */
  idempotencyKey: string | null = null;

  /** @param message says what to change; never a URL, a token or a body. */
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
